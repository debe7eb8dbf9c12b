// The scene drawn: shapes, arrows, paths and their labels; a second motion as its ghost.
import * as THREE from "three";
import { Eye } from "./cameras";
import { Instances } from "./instances";
import { Labels } from "./labels";
import { tracePaths } from "./paths";
import { findBounds, Flow, joinBounds, length, plus, type ArrowReach, type Bounds, type Pose, type Vector } from "./pose";
import { pathColour, ShapeSet } from "./shapes";
import { formatNumber } from "./text";

export interface Show {
  reactions: boolean;
  paths: boolean;
  velocities: boolean;
  spins: boolean;
  ghost: boolean;
  /** The second motion beside the first, not over it. */
  apart: boolean;
  names: boolean;
  axes: boolean;
}

const colours = { reaction: 0xe0393e, couple: 0xb0369a, velocity: 0x2e9e4f, spin: 0x8e6bd8, flash: 0xffb020 };

export class Stage {
  readonly show: Show;
  private bounds: Bounds;
  readonly eye: Eye;
  /** Dots, rods and arrows are sized by this. */
  private readonly unit: number;
  private size: [number, number] = [1, 1]; // kept: asking the page for it between labels would lay it out for each
  follow = -1;
  /** Places whose paths are drawn. */
  readonly traced: Set<number>;
  arrowScale: number;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly world = new THREE.Scene();
  private readonly shapes: ShapeSet;
  private readonly ghostShapes: ShapeSet | undefined;
  private readonly cones: Instances;
  private readonly flashes: Instances;
  private readonly flow = new Flow();
  private readonly paths = new THREE.Group();
  private readonly labels: Labels;
  private followed?: Vector;

  /** `redraw`: asked for at once when the size has changed, as the canvas is empty then. */
  constructor(private readonly host: HTMLElement, private readonly pose: Pose, private readonly ghost: Pose | undefined, redraw: () => void) {
    const { scene } = pose;
    this.bounds = this.findBounds();
    this.traced = new Set(scene.traced.slice(0, 12));
    // What goes far compared with its own size is followed.
    const { radius, mechanism, force } = this.bounds;
    const travels = mechanism > 0 && mechanism < 0.2 * radius && scene.shapes.length > 2;
    this.unit = travels ? 2 * mechanism : radius;
    this.follow = travels ? (scene.traced[0] ?? -1) : -1;
    this.arrowScale = force > 0 ? (0.6 * this.unit) / force : 0;
    this.show = { reactions: true, paths: scene.traced.length <= 3, velocities: false, spins: false, ghost: true, apart: false, names: scene.places.length <= 12, axes: false };
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "the mechanism");
    host.append(this.renderer.domElement);
    this.labels = new Labels(host);
    this.eye = new Eye(this.renderer.domElement, this.bounds, scene.normal, scene.up);
    const [arrows, places] = [scene.arrows.length, scene.places.length];
    this.shapes = new ShapeSet(this.world, pose, { unit: this.unit, reach: radius, opacity: 1 }, arrows + 2 * places);
    this.ghostShapes = ghost && new ShapeSet(this.world, ghost, { unit: this.unit, reach: radius, opacity: 0.35 }, 0);
    this.cones = new Instances(this.world, new THREE.ConeGeometry(1, 1, 20), 2 * arrows + 4 * places);
    this.flashes = new Instances(this.world, new THREE.SphereGeometry(1, 24, 16), arrows + places, 0.7);
    this.addLights();
    this.addPaths();
    new ResizeObserver(() => (this.resize(), redraw())).observe(host);
    this.resize();
    pose.moveTo(pose.motion.from);
    this.fit();
  }
  /** The poses are where they were afterwards. */
  private findBounds(arrows?: ArrowReach): Bounds {
    const t = this.pose.row[0] ?? 0;
    const own = findBounds(this.pose, arrows);
    const bounds = this.ghost ? joinBounds(own, findBounds(this.ghost)) : own;
    this.pose.moveTo(t);
    this.ghost?.moveTo(t);
    return bounds;
  }
  /** Takes the second motion to the right of the first, or back onto it. */
  setApart(apart: boolean): void {
    if (!this.ghost) return;
    const t = this.pose.row[0] ?? 0;
    this.ghost.offset = [0, 0, 0];
    const { least, largest } = this.findBounds();
    const { right } = this.eye;
    const width = right.reduce((sum, part, k) => sum + Math.abs(part * ((largest[k] ?? 0) - (least[k] ?? 0))), 0);
    if (apart) this.ghost.offset = right.map((part) => 1.15 * width * part) as Vector;
    this.addPaths();
    this.pose.moveTo(t);
    this.ghost.moveTo(t);
    this.fit();
  }
  /** Everything of the motion that is shown now, or what is followed. */
  fit(): void {
    this.bounds = this.eye.bounds = this.findBounds(this.show.reactions ? { scale: this.arrowScale, longest: this.unit } : undefined);
    this.eye.fit(this.follow < 0 ? undefined : this.pose.position(this.follow));
  }

  private addLights(): void {
    const above = new THREE.HemisphereLight(0xffffff, 0x9aa4b8, 2.2);
    above.position.set(...this.pose.scene.up);
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.copy(this.eye.camera.position).sub(this.eye.controls.target).addScaledVector(this.eye.camera.up, this.bounds.radius);
    this.world.add(above, sun, this.paths);
  }
  /** Computed anew where the motion is another. */
  addPaths(): void {
    for (const path of this.paths.children) if (path instanceof THREE.Line) path.geometry.dispose();
    this.paths.clear();
    this.addPathsOf(this.pose, 0.55);
    if (this.ghost) this.addPathsOf(this.ghost, 0.25);
  }
  private addPathsOf(pose: Pose, opacity: number): void {
    const traced = [...this.traced];
    const points = tracePaths(pose, traced, 0.002 * this.unit);
    traced.forEach((place, k) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(points[k] ?? new Float32Array(), 3));
      const material = new THREE.LineBasicMaterial({ color: pathColour(k), transparent: true, opacity });
      const line = new THREE.Line(geometry, material);
      line.name = pose.scene.places[place]?.name ?? "";
      line.frustumCulled = false;
      this.paths.add(line);
    });
  }

  /** Draws the path of a place, or takes it away. */
  togglePath(place: number): void {
    if (!this.traced.delete(place)) this.traced.add(place);
    const t = this.pose.row[0] ?? 0;
    this.addPaths();
    this.pose.moveTo(t);
    this.show.paths = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.size = [width, height];
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
  }

  /** Draws the poses as they are; `struck`: what has just been struck, and how long ago as a part of a flash. Returns how
   * many draw calls that took. */
  draw(struck: { name: string; age: number }[] = []): number {
    this.followPlace();
    const solids = [this.shapes, this.ghostShapes, this.cones, this.flashes];
    for (const solid of solids) solid?.begin();
    this.labels.begin();
    for (const shape of this.pose.scene.shapes) {
      this.shapes.put(shape, this.show.axes);
      if (this.show.ghost && shape.kind !== "ground") this.ghostShapes?.put(shape, false);
    }
    if (this.show.reactions) this.putReactions();
    if (this.show.velocities || this.show.spins) this.putFlow();
    if (this.show.names) this.putNames();
    for (const { name, age } of struck) this.putFlash(name, age);
    for (const solid of solids) solid?.end();
    this.paths.visible = this.show.paths;
    this.labels.end();
    this.renderer.render(this.world, this.eye.camera);
    return this.renderer.info.render.calls;
  }
  /** Where the constraint's forces act. */
  private putFlash(name: string, age: number): void {
    const radius = 0.09 * this.unit * (1 - age);
    for (const arrow of this.pose.scene.arrows)
      if (!arrow.couple && (arrow.name === name || name.startsWith(`${arrow.name}.`))) this.flashes.put(this.pose.position(arrow.at), undefined, [radius, radius, radius], colours.flash);
  }
  private followPlace(): void {
    const at = this.follow < 0 ? undefined : this.pose.position(this.follow);
    if (at && this.followed) this.eye.shift(plus(at, this.followed, -1));
    this.followed = at;
  }

  /** The length is the vector's times the scale; the head is part of it. */
  private putArrow(at: Vector, vector: Vector, scale: number, colour: number): Vector | undefined {
    const size = length(vector) * scale;
    if (!(size > 0) || !Number.isFinite(size)) return undefined;
    const tip = plus(at, vector, scale);
    const head = Math.min(size, 0.07 * this.unit);
    const neck = plus(at, vector, (scale * (size - head)) / size);
    this.shapes.cylinders.span(at, neck, 0.013 * this.unit, colour);
    this.cones.span(neck, tip, 0.034 * this.unit, colour);
    return tip;
  }
  private putReactions(): void {
    for (const arrow of this.pose.scene.arrows) {
      const force = this.pose.force(arrow);
      const at = this.pose.position(arrow.at);
      const tip = this.putArrow(at, force, this.arrowScale, arrow.couple ? colours.couple : colours.reaction);
      if (tip && length(force) > 1e-9 * this.bounds.force) this.labels.put(...this.project(tip), `${arrow.name} ${formatNumber(length(force), 4)}`, "force");
    }
  }
  /** Velocities of places and angular velocities of what turns, each scaled by the largest seen. */
  private putFlow(): void {
    const { pose } = this;
    const drawn = [...new Set(pose.scene.shapes.filter((shape) => shape.to === undefined && shape.kind !== "axes" && shape.kind !== "ground").map((shape) => shape.at))];
    this.flow.look(pose, drawn);
    drawn.forEach((place, i) => {
      const at = pose.position(place);
      if (this.show.velocities) this.putArrow(at, this.flow.velocities[i] ?? [0, 0, 0], (0.5 * this.unit) / this.flow.fastest, colours.velocity);
      if (this.show.spins) this.putArrow(at, this.flow.spins[i] ?? [0, 0, 0], (0.4 * this.unit) / this.flow.fastestSpin, colours.spin);
    });
  }

  private putNames(): void {
    for (const shape of this.pose.scene.shapes)
      if (shape.to === undefined && shape.kind !== "axes" && shape.kind !== "ground") this.labels.put(...this.project(this.pose.position(shape.at)), shape.name, "name");
  }

  /** Pixels from the upper left corner of the scene. */
  project(at: Vector): [number, number] {
    const point = new THREE.Vector3(...at).project(this.eye.camera);
    return [((point.x + 1) / 2) * this.size[0], ((1 - point.y) / 2) * this.size[1]];
  }
  picture(): string {
    return this.renderer.domElement.toDataURL("image/png");
  }
}
