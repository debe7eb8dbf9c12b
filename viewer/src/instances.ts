// Many copies of one solid in one draw call.
import * as THREE from "three";
import type { Vector } from "./pose";

export class Instances {
  readonly mesh: THREE.InstancedMesh;
  private count = 0;
  private readonly matrix = new THREE.Matrix4();
  private readonly x = new THREE.Vector3();
  private readonly y = new THREE.Vector3();
  private readonly z = new THREE.Vector3();
  private readonly colour = new THREE.Color();

  constructor(parent: THREE.Object3D, geometry: THREE.BufferGeometry, capacity: number, opacity = 1) {
    const isClear = opacity < 1;
    const material = new THREE.MeshLambertMaterial({ transparent: isClear, opacity, depthWrite: !isClear });
    this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, capacity));
    this.mesh.frustumCulled = false;
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * Math.max(1, capacity)), 3);
    parent.add(this.mesh);
  }
  begin(): void {
    this.count = 0;
  }
  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** With its own axes along the columns of a rotation (by rows), scaled along them; nothing where a number is missing. */
  put(at: Vector, rotation: [Vector, Vector, Vector] | undefined, scale: Vector, colour: number): void {
    const [r0, r1, r2] = rotation ?? [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    this.x.set(r0[0], r1[0], r2[0]).multiplyScalar(scale[0]);
    this.y.set(r0[1], r1[1], r2[1]).multiplyScalar(scale[1]);
    this.z.set(r0[2], r1[2], r2[2]).multiplyScalar(scale[2]);
    this.matrix.makeBasis(this.x, this.y, this.z);
    this.add(at, colour);
  }
  /** With its y axis from one place to another. */
  span(from: Vector, to: Vector, radius: number, colour: number): void {
    this.y.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const size = this.y.length();
    if (!(size > 0)) return;
    this.x.set(Math.abs(this.y.x) > 0.9 * size ? 0 : 1, Math.abs(this.y.x) > 0.9 * size ? 1 : 0, 0);
    this.x.cross(this.y).normalize();
    this.z.copy(this.x).cross(this.y).divideScalar(size).multiplyScalar(radius);
    this.x.multiplyScalar(radius);
    this.matrix.makeBasis(this.x, this.y, this.z);
    this.add([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2], colour);
  }

  private add(at: Vector, colour: number): void {
    this.matrix.setPosition(at[0], at[1], at[2]);
    if (!this.matrix.elements.every(Number.isFinite) || this.count >= this.mesh.instanceMatrix.count) return;
    this.mesh.setMatrixAt(this.count, this.matrix);
    this.mesh.setColorAt(this.count, this.colour.set(colour));
    ++this.count;
  }
}
