// MCAP traces before Foxglove's own library: sums, counts, times, and every value as the JSON has it; descriptors as Foxglove's types have them.
// Usage: node mcap.mjs NAME[=ENTITIES]... for NAME.mcap and NAME.json, with so many entities in the scene
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import { protobufFromBinaryDescriptor } from "@mcap/support";

const require = createRequire(import.meta.url);
const protobuf = require("protobufjs");
const { FileDescriptorSet } = require("protobufjs/ext/descriptor");
const { foxgloveEnumSchemas, foxgloveMessageSchemas, generateProto } = require("@foxglove/schemas/internal");

const fail = (message) => {
  throw new Error(message);
};
const expect = (what, seen, wanted) => Object.is(seen, wanted) || fail(`${what}: ${seen}, expected ${wanted}`);

/** Every field of a message that Foxglove defines has its name, number and type there. */
function checkFoxglove(type) {
  const official = new protobuf.Root();
  const load = (name) => {
    const short = name.replace("foxglove.", "");
    if (official.lookup(`foxglove.${short}`, protobuf.Type)) return;
    const schema = foxgloveMessageSchemas[short];
    const enums = Object.values(foxgloveEnumSchemas).filter((e) => e.parentSchemaName === short);
    protobuf.parse(generateProto(schema, enums), official, { keepCase: true });
    for (const field of schema.fields) if (field.type.type === "nested") load(field.type.schema.name);
  };
  load(type.name);
  const compare = (ours, theirs) => {
    for (const field of ours.fieldsArray) {
      const other = theirs.fields[field.name] ?? fail(`${ours.fullName}.${field.name} is not in Foxglove's schema`);
      expect(`number of ${ours.fullName}.${field.name}`, field.id, other.id);
      expect(`repetition of ${ours.fullName}.${field.name}`, field.repeated, other.repeated);
      expect(`type of ${ours.fullName}.${field.name}`, field.type.replace(/^\.?(.*\.)?/, ""), other.type.replace(/^\.?(.*\.)?/, ""));
      const nested = field.resolve().resolvedType;
      if (nested?.values) {
        const values = official.lookupEnum(`${theirs.fullName}.${nested.name}`.slice(1)).values;
        for (const [name, value] of Object.entries(nested.values)) expect(`${nested.fullName}.${name}`, value, values[name]);
      } else if (nested && nested.fullName.startsWith(".foxglove.")) {
        compare(nested, official.lookupType(nested.fullName.slice(1)));
      }
    }
  };
  compare(type, official.lookupType(`foxglove.${type.name}`));
}

/** The value of a field in a robot's message; fields that count are an array there. */
function valueOf(message, path, field) {
  for (const part of path) message = message[part] ?? fail(`no ${part} of ${path}`);
  const array = field.match(/^(.*?)_?(\d+)$/);
  if (array && Array.isArray(message[array[1]])) return message[array[1]][Number(array[2])];
  return message[field] ?? fail(`no field ${field} of ${path}`);
}

/** The message of a robot in one of its topic: that itself, or a field of the message of many robots with the same devices. */
function messageOf(topic, value, robot) {
  if (topic === `/${robot}`) return value;
  return /^\/robots(_\d+)?(\/texts)?$/.test(topic) ? value[robot.replace(/[^A-Za-z0-9]/g, "_")] : undefined;
}

/** What the applications of Lichtblick and Foxglove do with a schema (packages/mcap-support/src/parseProtobufSchema.ts): all types resolve, and messages decode. */
function typeOfApplications(schema) {
  const root = protobuf.Root.fromDescriptor(FileDescriptorSet.decode(schema.data));
  root.resolveAll();
  return root.lookupType(schema.name);
}

const topicOf = (device) => `/${device.replaceAll(".", "/")}`;
let scans = 0;
/** Ranges from right to left, at their angles; what met nothing is infinite. */
function checkScan(what, channel, scan, device, trace, row) {
  const ranges = device.fields.filter((field) => /^r\d+$/.test(field.name)).map((field) => trace.data[device.name][field.name][row]);
  expect(`${what}: rays`, scan.ranges.length, ranges.length);
  const far = 30; // of the scanner
  scan.ranges.reverse().forEach((range, i) => (range === Infinity ? ranges[i] >= far || fail(`${what}: ray ${i} met something`) : expect(`${what}: ray ${i}`, range, ranges[i])));
  expect(`${what}: angles`, scan.start_angle, -scan.end_angle);
  if (!(scan.end_angle > 0 && scan.end_angle <= Math.PI)) fail(`${what}: a fan of ${2 * scan.end_angle}`);
  const { x, y, z, w } = scan.pose.orientation;
  // Upright, as the scanner of this scenario is: z of the fan is z of the part.
  if (Math.abs(1 - 2 * (x * x + y * y) - 1) > 1e-9) fail(`${what}: the fan is tilted`);
  // And its middle is ahead of the car, which is y in the part.
  if (Math.abs(2 * (x * y + w * z) - 1) > 1e-9) fail(`${what}: the fan looks elsewhere`);
  scans += 1;
}

/** Transforms of a row, and the frames that its messages name; those of the scene are named in every row. */
class Frames {
  rows = [];
  entities = [];
  lines = []; // on the map
  row(i) {
    return (this.rows[i] ??= { parents: new Map(), named: new Set() });
  }
  /** Every named frame leads to the world. */
  check(name) {
    this.rows.forEach(({ parents, named }, row) => {
      for (const frame of new Set([...named, ...this.entities.map((entity) => entity.frame_id)])) {
        const seen = new Set();
        for (let at = frame; at !== "world"; at = parents.get(at)) {
          if (at === undefined || seen.has(at)) fail(`${name}, row ${row}: no transform leads from frame ${frame} to the world`);
          seen.add(at);
        }
      }
    });
  }
}

/** A line in the world is as long as on the earth, to 1 %, and runs in the same direction. */
function checkLine(what, points, coordinates) {
  const meters = 111_195; // of a degree of latitude
  const place = ([east, north]) => [east * meters * Math.cos(Math.PI / 180 * coordinates[0][1]), north * meters];
  const length = (all) => all.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - all[i][0], p[1] - all[i][1]), 0);
  const world = points.map((p) => [p.x, p.y]), earth = coordinates.map(place);
  const [a, b] = [length(world), length(earth)];
  if (!(a > 1) || Math.abs(a / b - 1) > 0.01) fail(`${what}: ${a} m in the world, ${b} m on the earth`);
  const [from, to] = [world, earth].map((all) => all.reduce((far, p) => { const v = [p[0] - all[0][0], p[1] - all[0][1]]; return Math.hypot(...v) > Math.hypot(...far) ? v : far; }, [0, 0]));
  if (Math.hypot(from[0] - to[0], from[1] - to[1]) > 0.02 * Math.hypot(...from)) fail(`${what}: runs towards ${from} in the world, ${to} on the earth`);
  lines += 1;
}

let lines = 0, compared = 0, objects = 0;
for (const word of process.argv.slice(2)) {
  const [name, wanted] = word.split("=");
  const trace = JSON.parse(readFileSync(`${name}.json`, "utf8"));
  const before = compared;
  const bytes = new Uint8Array(readFileSync(`${name}.mcap`));
  const handlers = await loadDecompressHandlers();

  // From the beginning to the end, with all sums.
  const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers: handlers });
  stream.append(bytes);
  const seen = {};
  for (let record; (record = stream.nextRecord()); ) seen[record.type] = (seen[record.type] ?? 0) + 1;
  if (!stream.done()) fail(`${name}: the file does not end where it should`);
  expect(`${name}: metadata`, seen.Metadata, 1);
  expect(`${name}: attachments`, seen.Attachment, 1);

  // By the indexes.
  const readable = { size: async () => BigInt(bytes.length), read: async (at, size) => bytes.slice(Number(at), Number(at + size)) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: handlers });
  expect(`${name}: messages of the statistics`, Number(reader.statistics.messageCount), seen.Message);
  expect(`${name}: chunks`, reader.statistics.chunkCount, reader.chunkIndexes.length);
  const types = new Map(), applications = new Map();
  for (const schema of reader.schemasById.values()) {
    const root = protobufFromBinaryDescriptor(schema.data);
    const type = root.lookupType(schema.name);
    if (schema.name.startsWith("foxglove.")) checkFoxglove(type);
    types.set(schema.id, type);
    applications.set(schema.id, typeOfApplications(schema));
  }

  const rows = new Map(trace.step.map((step, row) => [step, row]));
  const poses = trace.devices.filter((d) => d.fields.map((f) => f.name).join() === "x,y,z,qw,qx,qy,qz" && d.fields[0].frame === "W");
  const check = (device, field, row, value) => {
    expect(`${name}, ${device}.${field}, row ${row}`, value, trace.data[device][field][row]);
    compared += 1;
  };
  let row = -1;
  const counts = {}, frames = new Frames();
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    counts[channel.topic] = (counts[channel.topic] ?? 0) + 1;
    const type = types.get(channel.schemaId);
    const value = type.toObject(type.decode(message.data), { defaults: true, longs: Number, enums: String });
    if (counts[channel.topic] === 1) {
      const [seen, wanted] = [applications.get(channel.schemaId), type].map((t) => t.toObject(t.decode(message.data), { defaults: true, longs: Number, enums: String }));
      if (!isDeepStrictEqual(seen, wanted) || !isDeepStrictEqual(wanted, value)) fail(`${name}: ${channel.topic} in the applications is another message`);
    }
    const time = Number(message.logTime) / 1e9;
    if (value.frame_id && channel.topic !== "/simbatch/step") frames.row(row).named.add(value.frame_id);
    if (channel.topic === "/simbatch/step") {
      row = rows.get(value.step) ?? fail(`${name}: no step ${value.step}`);
      if (Math.abs(time - trace.time[row]) > 0.51e-9) fail(`${name}: step ${value.step} is at ${time} s, expected ${trace.time[row]}`);
    } else if (channel.topic === "/tf") {
      for (const transform of value.transforms) {
        if (frames.row(row).parents.has(transform.child_frame_id)) fail(`${name}: two transforms of ${transform.child_frame_id}`);
        frames.row(row).parents.set(transform.child_frame_id, transform.parent_frame_id);
        // Objects of traffic have no pose among their values, but a place.
        const object = trace.devices.find((d) => d.kind === "TrafficObject" && d.name === transform.child_frame_id);
        if (!object) continue;
        const { x, z } = trace.data[object.name];
        if (Math.abs(transform.translation.x - x[row]) > 1e-9 || Math.abs(transform.translation.y - z[row]) > 1e-9) fail(`${name}: ${object.name} is elsewhere in row ${row}`);
        objects += 1;
      }
      value.transforms.slice(0, poses.length).forEach((transform, i) => {
        const { name: device } = poses[i];
        expect(`${name}: frame`, transform.child_frame_id, device);
        expect(`${name}: parent`, transform.parent_frame_id, "world");
        const { translation: t, rotation: q } = transform;
        const flip = (v) => (v === 0 ? v : -v);
        Object.entries({ x: t.x, y: t.z, z: t.y, qw: q.w, qx: flip(q.x), qy: flip(q.z), qz: flip(q.y) }).forEach(([f, v]) => check(device, f, row, v));
      });
    } else if (channel.topic === "/scene") {
      frames.entities.push(...value.entities);
    } else if (channel.topic === "/simbatch/hash") {
      expect(`${name}: hash of step ${value.step}`, value.hash, trace.hashes.hash[trace.hashes.step.indexOf(value.step)]);
    } else if (channel.topic.endsWith("/location")) {
      const device = channel.topic.slice(1, -"/location".length).replaceAll("/", ".");
      check(device, "latitude", row, value.latitude);
      check(device, "longitude", row, value.longitude);
    } else if (channel.topic.endsWith("/scan")) {
      checkScan(`${name}, row ${row}`, channel, value, trace.devices.find((d) => topicOf(d.name) === channel.topic.slice(0, -"/scan".length)), trace, row);
    } else if (channel.topic.endsWith("/calibration")) {
      const camera = trace.devices.find((d) => channel.topic === `${topicOf(d.name)}/calibration`).name;
      const png = readFileSync(`${name}.pictures/${camera}-${String(trace.step[row]).padStart(6, "0")}.png`);
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      expect(`${name}: frame of the calibration`, value.frame_id, `${camera}.optical`);
      expect(`${name}: size of the calibration`, `${value.width} ${value.height}`, `${width} ${height}`);
      const focal = height / 2 / Math.tan(Math.PI / 180 * 30); // the cameras see 60 degrees
      const K = [focal, 0, (width - 1) / 2, 0, focal, (height - 1) / 2, 0, 0, 1];
      if (value.K.length !== 9 || !value.K.every((k, i) => Math.abs(k - K[i]) < 1e-9)) fail(`${name}: K is ${value.K}, expected ${K}`);
    } else if (channel.topic === "/simbatch/paths") {
      const map = JSON.parse(value.geojson);
      if (map.type !== "FeatureCollection") fail(`${name}: ${channel.topic} is ${map.type}`);
      frames.lines = map.features.map((feature) => feature.geometry);
    } else if (channel.topic.endsWith("/image")) {
      expect(`${name}: format`, value.format, "png");
      const camera = trace.devices.find((d) => channel.topic === `${topicOf(d.name)}/image`).name;
      const png = readFileSync(`${name}.pictures/${camera}-${String(trace.step[row]).padStart(6, "0")}.png`);
      if (!png.equals(Buffer.from(value.data))) fail(`${name}: the picture of ${camera} in row ${row} is another one`);
      expect(`${name}: frame of the picture`, value.frame_id, `${camera}.optical`);
    } else if (channel.topic !== "/log") {
      for (const device of trace.devices) {
        const [robot, ...path] = device.name.split(".");
        const message = poses.includes(device) ? undefined : messageOf(channel.topic, value, robot);
        if (message === undefined) continue;
        const texts = /^\/robots(_\d+)?/.test(channel.topic) ? channel.topic.endsWith("/texts") : undefined;
        for (const field of device.fields)
          if (texts === undefined || texts === (field.type === "text")) check(device.name, field.name, row, valueOf(message, path, field.name));
      }
    }
  }
  frames.check(name);
  const drawn = frames.entities.filter((entity) => entity.lines.length > 0);
  expect(`${name}: lines on the map`, frames.lines.length, drawn.length);
  drawn.forEach((entity, i) => checkLine(`${name}, ${entity.id}`, entity.lines[0].points, frames.lines[i].coordinates));
  expect(`${name}: entities`, frames.entities.length, Number(wanted ?? frames.entities.length));
  expect(`${name}: rows`, counts["/simbatch/step"] ?? 0, trace.step.length);
  expect(`${name}: hashes`, counts["/simbatch/hash"] ?? 0, trace.hashes.step.length);
  expect(`${name}: log`, counts["/log"], 1 + (trace.end.expectations ?? []).length);
  for (const [topic, count] of Object.entries(counts))
    if (topic !== "/log" && topic !== "/simbatch/hash" && topic !== "/scene" && topic !== "/simbatch/paths" && !/\/(location|scan|points|image|calibration)$/.test(topic)) expect(`${name}: messages of ${topic}`, count, trace.step.length);
  const values = trace.devices.reduce((sum, device) => sum + device.fields.length, 0);
  if (compared - before < values * trace.step.length) fail(`${name}: only ${compared - before} values compared`);
}
console.log(`${compared} values are the same in MCAP, ${scans} scans, ${objects} places of traffic, ${lines} lines`);
