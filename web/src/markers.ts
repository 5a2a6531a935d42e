// Dots on the map where robots are, which are too small to be seen from so high.
import { BufferAttribute, BufferGeometry, CanvasTexture, Points, PointsMaterial } from "three";
import { type Motion, Pose } from "./motion";

export class Markers {
  readonly points: Points;
  private readonly place: BufferAttribute;
  private readonly pose = new Pose();

  constructor(
    private readonly motion: Motion,
    private readonly movers: number[],
  ) {
    this.place = new BufferAttribute(new Float32Array(3 * movers.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.place);
    const dot = document.createElement("canvas");
    dot.width = dot.height = 32;
    const pen = dot.getContext("2d");
    if (pen) {
      pen.arc(16, 16, 12, 0, 2 * Math.PI);
      pen.fillStyle = "#ff8a1f";
      pen.fill();
      pen.lineWidth = 5;
      pen.strokeStyle = "#fff";
      pen.stroke();
    }
    const map = new CanvasTexture(dot);
    const look = { map, size: 13, sizeAttenuation: false, transparent: true, depthTest: false, fog: false };
    this.points = new Points(geometry, new PointsMaterial(look));
    this.points.frustumCulled = false;
    this.points.renderOrder = 10;
    this.points.visible = false;
  }

  update(row: number, share: number): void {
    if (!this.points.visible) return;
    this.movers.forEach((mover, i) => {
      if (this.motion.pose(mover, row, share, this.pose)) this.place.setXYZ(i, this.pose.p.x, this.pose.p.y, this.pose.p.z);
    });
    this.place.needsUpdate = true;
  }
}
