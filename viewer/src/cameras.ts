// The reader's eye: straight onto the plane of a plane model, in perspective and free to orbit otherwise.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bounds, Vector } from "./pose";

const fieldOfView = 40;
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** From which side a plane is looked at: so that the axis to the right is a positive one. */
export function viewingSide(normal: number, up: Vector): Vector {
  const side: Vector = [0, 0, 0];
  side[normal] = 1;
  const right: Vector = [up[1] * side[2] - up[2] * side[1], up[2] * side[0] - up[0] * side[2], up[0] * side[1] - up[1] * side[0]];
  const largest = right.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0);
  if (largest < 0) side[normal] = -1;
  return side;
}

export class Eye {
  readonly camera: THREE.OrthographicCamera | THREE.PerspectiveCamera;
  readonly controls: OrbitControls;
  private aspect = 1;
  private readonly direction: THREE.Vector3;
  private box: { least: Vector; largest: Vector };

  constructor(canvas: HTMLElement, public bounds: Bounds, normal: number | null, private readonly up: Vector) {
    this.box = bounds;
    this.camera = normal === null ? new THREE.PerspectiveCamera(fieldOfView) : new THREE.OrthographicCamera();
    this.camera.up.set(...up);
    this.direction = normal === null ? this.slanted(up) : new THREE.Vector3(...viewingSide(normal, up));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableRotate = normal === null;
    this.controls.zoomToCursor = normal !== null;
    if (normal !== null) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    if (normal !== null) this.controls.touches.ONE = THREE.TOUCH.PAN;
    this.fit();
  }
  private slanted(up: Vector): THREE.Vector3 {
    const upwards = new THREE.Vector3(...up);
    const aside = Math.abs(up[1]) > 0.9 ? new THREE.Vector3(0.55, 0, 1) : new THREE.Vector3(0.55, -1, 0);
    if (Math.abs(up[0]) > 0.9) aside.set(0, -1, 0.55);
    return aside.addScaledVector(upwards, 0.75).normalize();
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    if (this.camera instanceof THREE.PerspectiveCamera) this.camera.aspect = this.aspect;
    else this.setFrustum();
    this.camera.updateProjectionMatrix();
  }
  /** The direction that is to the right on the screen when everything is seen. */
  get right(): Vector {
    const right = new THREE.Vector3(...this.up).cross(this.direction).normalize();
    return [right.x, right.y, right.z];
  }
  /** All of the motion, or what is around a place. */
  fit(around?: Vector): void {
    const { centre, mechanism } = this.bounds;
    const at = around ?? centre;
    if (around) this.box = { least: [-mechanism, -mechanism, -mechanism], largest: [mechanism, mechanism, mechanism] };
    else this.box = { least: minus(this.bounds.least, centre), largest: minus(this.bounds.largest, centre) };
    this.controls.target.set(...at);
    this.camera.up.set(...this.up);
    const distance = this.camera instanceof THREE.PerspectiveCamera ? this.fittingDistance() : 10 * this.bounds.radius;
    this.camera.position.set(...at).addScaledVector(this.direction, distance);
    this.camera.near = distance / 1000;
    this.camera.far = 100 * distance;
    this.camera.zoom = 1;
    if (this.camera instanceof THREE.OrthographicCamera) this.setFrustum();
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
  /** From where every corner of the box is seen. */
  private fittingDistance(): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, this.direction).normalize();
    const upwards = new THREE.Vector3().crossVectors(this.direction, right);
    const slope = Math.tan(((fieldOfView / 2) * Math.PI) / 180);
    let distance = 0;
    for (const x of [this.box.least[0], this.box.largest[0]])
      for (const y of [this.box.least[1], this.box.largest[1]])
        for (const z of [this.box.least[2], this.box.largest[2]]) {
          const corner = new THREE.Vector3(x, y, z);
          const needed = Math.max(Math.abs(corner.dot(upwards)) / slope, Math.abs(corner.dot(right)) / (slope * this.aspect));
          distance = Math.max(distance, corner.dot(this.direction) + needed);
        }
    return 1.15 * distance;
  }
  /** Moves with something that moves. */
  shift(by: Vector): void {
    const step = new THREE.Vector3(...by);
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.controls.update();
  }
  private setFrustum(): void {
    if (!(this.camera instanceof THREE.OrthographicCamera)) return;
    const { least, largest } = this.box;
    const right = new THREE.Vector3().crossVectors(this.camera.up, this.direction);
    const size = new THREE.Vector3(largest[0] - least[0], largest[1] - least[1], largest[2] - least[2]);
    const along = (axis: THREE.Vector3): number => Math.abs(axis.x * size.x) + Math.abs(axis.y * size.y) + Math.abs(axis.z * size.z);
    const margin = 0.12 * size.length();
    const half = Math.max((along(this.camera.up) / 2 + margin), (along(right) / 2 + margin) / this.aspect);
    this.camera.top = half;
    this.camera.bottom = -half;
    this.camera.left = -half * this.aspect;
    this.camera.right = half * this.aspect;
  }
}
