// Loads a GLB file with three.js and fails unless nodes or animations of these names are in it: node gltf-load.mjs FILE NAME...
import { readFileSync } from "node:fs";

globalThis.self = globalThis;
const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
const [file, ...wanted] = process.argv.slice(2);
const bytes = readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
const names = new Set(gltf.animations.map((clip) => clip.name));
gltf.scene.traverse((node) => names.add(node.userData.name ?? node.name));
// three.js takes dots out of nodes' names, which its own animation paths need, and keeps the original beside them.
const missing = wanted.filter((name) => !names.has(name) && !names.has(name.replaceAll(".", "")));
console.log(`${file}: ${names.size} names, ${gltf.animations[0]?.tracks.length ?? 0} tracks, ${missing.length} missing ${missing.join(" ")}`);
process.exit(missing.length ? 1 : 0);
