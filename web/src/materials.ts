// What surfaces are made of: the first number of a paint is a place in this list.
import { PageError, type WorldHead } from "./data";

export const kMaterials = ["plain", "ground", "road", "junction", "pavement", "curb", "building", "house", "tree", "vehicle", "wheel"] as const;

export const kRoad = kMaterials.indexOf("road");
export const kJunction = kMaterials.indexOf("junction");
export const kGround = kMaterials.indexOf("ground");

/** The list of the simulator that made the page must be this one: it is another program's. */
export function checkMaterials(world: WorldHead): void {
  if (world.materials.join() !== kMaterials.join())
    throw new PageError(`This page has surfaces of ${world.materials.join(", ")}; its program knows ${kMaterials.join(", ")}.`);
}

/** For shaders: MATERIAL_ROAD and so on. */
export function materialDefines(): Record<string, number> {
  return Object.fromEntries(kMaterials.map((name, i) => [`MATERIAL_${name.toUpperCase()}`, i]));
}
