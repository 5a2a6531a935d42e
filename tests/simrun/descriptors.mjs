// Descriptions of messages in MCAP files against those of protoc. Usage: node descriptors.mjs FILE.mcap..., in a folder for files that protoc reads.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { McapIndexedReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";

const require = createRequire(import.meta.url);
const { FileDescriptorSet } = require("protobufjs/ext/descriptor");
const { foxgloveEnumSchemas, foxgloveMessageSchemas, generateProto } = require("@foxglove/schemas/internal");

const fail = (message) => {
  throw new Error(message);
};

mkdirSync("proto/foxglove", { recursive: true });
for (const [name, schema] of Object.entries(foxgloveMessageSchemas))
  writeFileSync(`proto/foxglove/${name}.proto`, generateProto(schema, Object.values(foxgloveEnumSchemas).filter((e) => e.parentSchemaName === name)));

/** The bytes of each file in a FileDescriptorSet: fields 1, with their lengths. */
function filesOf(set) {
  const files = [];
  for (let at = 0; at < set.length; ) {
    if (set[at++] !== 0x0a) fail("not a FileDescriptorSet");
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7, at += 1) {
      length += (set[at] & 0x7f) * 2 ** shift;
      more = set[at] >= 0x80;
    }
    files.push(Buffer.from(set.subarray(at, at + length)));
    at += length;
  }
  return files;
}

const described = (bytes) => FileDescriptorSet.toObject(FileDescriptorSet.decode(bytes)).file;

const seen = new Set();
/** Our descriptor and that of protoc have the same files in the same order. Google's own have options for other languages, which ours lack. */
function compare(schema) {
  const type = schema.name.slice("foxglove.".length);
  execFileSync("protoc", ["-Iproto", "--include_imports", "--descriptor_set_out=protoc.bin", `proto/foxglove/${type}.proto`]);
  const wanted = readFileSync("protoc.bin");
  const [ours, theirs] = [schema.data, wanted].map(filesOf), [ourFiles, theirFiles] = [schema.data, wanted].map(described);
  const names = [ourFiles, theirFiles].map((files) => files.map((file) => file.name).join(" "));
  if (names[0] !== names[1]) fail(`${schema.name}: files ${names[0]}, protoc has ${names[1]}`);
  theirFiles.forEach((file, i) => {
    if (!file.name.startsWith("google/")) {
      if (!ours[i].equals(theirs[i])) fail(`${schema.name}: ${file.name} is ${JSON.stringify(ourFiles[i])}, protoc has ${JSON.stringify(file)}`);
      return;
    }
    delete file.options;
    if (JSON.stringify(ourFiles[i]) !== JSON.stringify(file)) fail(`${schema.name}: ${file.name} is ${JSON.stringify(ourFiles[i])}, protoc has ${JSON.stringify(file)}`);
  });
  seen.add(type);
}

let decoded = 0;
for (const name of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(name));
  const readable = { size: async () => BigInt(bytes.length), read: async (at, size) => bytes.slice(Number(at), Number(at + size)) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: await loadDecompressHandlers() });
  for (const schema of reader.schemasById.values()) if (schema.name.startsWith("foxglove.")) compare(schema);
  // protoc checks a descriptor thoroughly before it decodes with it; unknown fields would be numbers.
  const topics = new Set();
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId), schema = reader.schemasById.get(channel.schemaId);
    if (topics.has(channel.topic)) continue;
    topics.add(channel.topic);
    writeFileSync("schema.bin", schema.data);
    const text = execFileSync("protoc", ["--descriptor_set_in=schema.bin", `--decode=${schema.name}`], { input: message.data, maxBuffer: 2 ** 28, encoding: "latin1" });
    if (/^\s*\d+[:{ ]/m.test(text)) fail(`${name}: ${channel.topic} has fields that its schema does not`);
    decoded += 1;
  }
}
const all = ["CameraCalibration", "CompressedImage", "FrameTransforms", "GeoJSON", "LaserScan", "LocationFix", "Log", "PointCloud", "SceneUpdate"];
if ([...seen].sort().join() !== all.join()) fail(`only ${[...seen].sort()} were compared`);
console.log(`${seen.size} messages of Foxglove have protoc's descriptors; protoc decodes ${decoded} channels`);
