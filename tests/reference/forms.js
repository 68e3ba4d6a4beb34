// Section 6: questions and forms.
import { isBlank, isObject, refuseDepth, storable, trim } from "./values.js";

/** @typedef {{ value: string | number | boolean, label: string }} Option */
/** @typedef {{ name: string, label: string, type: string, required: boolean, description: string, options: Option[], question: string }} Field */

const TYPES = /** @type {Record<string, string>} */ ({ string: "text", integer: "integer", number: "number", boolean: "boolean" });
const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** F5: trimmed, blank counts as absent. @param {unknown} text */
function words(text) {
  if (typeof text !== "string") return "";
  const trimmed = trim(storable(text));
  return isBlank(trimmed) ? "" : trimmed;
}
/** @param {any} schema */
const titleOrDescription = (schema) => words(schema.title) || words(schema.description);
/** @param {unknown} value */
const isScalar = (value) => typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

/** @param {{ value: any, label: string }[]} entries @returns {Option[] | null} null: they cannot be read; a null among them is skipped */
function optionsFrom(entries) {
  const given = entries.filter(({ value }) => value !== null);
  if (given.length === 0 || !given.every(({ value }) => isScalar(value))) return null;
  return given.map(({ value, label }) => ({ value, label: label || storable(String(value)) }));
}

/** The first type that is not null (F3). @param {unknown} type */
function firstType(type) {
  return Array.isArray(type) ? type.find((t) => t !== "null") : type;
}

/** @param {any} branch */
function isNullBranch(branch) {
  if (Object.hasOwn(branch, "const")) return false;
  const only = (/** @type {unknown} */ list, /** @type {unknown} */ value) => Array.isArray(list) && list.length > 0 && list.every((entry) => entry === value);
  return branch.type === "null" || only(branch.type, "null") || only(branch.enum, null);
}

/**
 * What one property takes: its type and options, or null where it cannot be shown.
 * @param {any} schema @returns {{ schema: any, type: string, options: Option[] } | null}
 */
function readProperty(schema, depth = 0) {
  if (!isObject(schema) || Object.hasOwn(schema, "$ref") || depth > 64) return null;
  if (Object.hasOwn(schema, "enum")) {
    const options = Array.isArray(schema.enum) ? optionsFrom(schema.enum.map((/** @type {any} */ value) => ({ value, label: "" }))) : null;
    return options && { schema, type: "select", options };
  }
  for (const key of ["oneOf", "anyOf"]) {
    if (Object.hasOwn(schema, key)) return readBranches(schema, key, depth);
  }
  const type = firstType(schema.type);
  if (type === undefined && !Object.hasOwn(schema, "type")) return { schema, type: "text", options: [] };
  return typeof type === "string" && Object.hasOwn(TYPES, type) ? { schema, type: TYPES[type], options: [] } : null;
}

/** @param {any} schema @param {string} key @param {number} depth @returns {ReturnType<typeof readProperty>} */
function readBranches(schema, key, depth) {
  const all = schema[key];
  if (!Array.isArray(all) || !all.every(isObject)) return null;
  const branches = all.filter((b) => !isNullBranch(b));
  if (branches.length > 0 && branches.every((b) => Object.hasOwn(b, "const"))) {
    const options = optionsFrom(branches.map((b) => ({ value: b.const, label: words(b.title) })));
    return options && { schema, type: "select", options };
  }
  if (key !== "anyOf" || branches.length !== 1) return null;
  const inner = readProperty(branches[0], depth + 1);
  if (!inner) return null;
  // F3: the property's own words win
  const merged = { ...inner.schema, title: words(schema.title) || inner.schema.title, description: words(schema.description) || inner.schema.description };
  return { ...inner, schema: merged };
}

/** @param {unknown} schema @returns {Field[] | null} null: unsupported (F4) */
function fieldsOf(schema) {
  if (!isObject(schema) || Object.hasOwn(schema, "$ref")) return null;
  const type = schema.type;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object"))) return null; // F1
  if (!isObject(schema.properties)) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const read = readProperty(property);
    if (!read) return null;
    fields.push({
      name,
      label: words(read.schema.title) || storable(name),
      type: read.type,
      required: required.includes(name),
      description: words(read.schema.description),
      options: read.options,
      question: titleOrDescription(read.schema),
    });
  }
  return fields.length > 0 ? fields : null;
}

/**
 * F2: a choice has its options and perhaps a text beside them.
 * @param {Field[]} fields @returns {{ choice: Field, text: Field | null } | null}
 */
function choiceOf(fields) {
  if (fields.length > 2) return null;
  const choices = fields.filter((f) => f.type === "select");
  if (choices.length !== 1) return null;
  const [choice] = choices;
  const other = fields.find((f) => f !== choice) ?? null;
  if (other && (other.type !== "text" || other.required)) return null;
  return { choice, text: other && !choice.required ? other : null };
}

/** @param {unknown} schema */
export function inputForm(schema) {
  refuseDepth(schema);
  const asked = isObject(schema) ? titleOrDescription(schema) : "";
  const fields = fieldsOf(schema);
  if (!fields) return { kind: "unsupported", question: asked, options: [], freeText: false, fields: [] };
  const choice = choiceOf(fields);
  if (choice) {
    return { kind: "choice", question: asked || choice.choice.question, options: choice.choice.options, freeText: choice.text !== null, fields: [] };
  }
  return { kind: "form", question: asked, options: [], freeText: false, fields: fields.map(({ question, ...field }) => field) };
}

/** F5. @param {unknown} schema */
export const questionOf = (schema) => inputForm(schema).question;

/** A value of a field's type, undefined where it does not fit (F6). @param {Field} field @param {any} value */
function fitted(field, value) {
  if (field.type === "select") return field.options.find((o) => o.value === value)?.value;
  if (field.type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (field.type === "text") {
    if (typeof value !== "string") return undefined;
    const text = trim(storable(value));
    return isBlank(text) ? undefined : text;
  }
  const syntax = field.type === "integer" ? /^-?[0-9]+$/ : JSON_NUMBER;
  const number = typeof value === "string" && syntax.test(trim(value)) ? Number(trim(value)) : value;
  const fits = field.type === "integer" ? Number.isSafeInteger(number) : typeof number === "number" && Number.isFinite(number);
  return fits ? number + 0 : undefined; // JSON knows no -0
}

/** F6: absent, null and the empty text leave a field out, unless the empty text is one of its options. @param {Field} field @param {unknown} value */
function isLeftOut(field, value) {
  if (value === undefined || value === null) return true;
  return value === "" && !field.options.some((o) => o.value === "");
}

/** F7. @param {Field} field @param {any} value @param {{ yes: string, no: string }} yesNo */
function shown(field, value, yesNo) {
  const option = field.options.find((o) => o.value === value);
  if (field.type === "select" && option) return option.label;
  if (typeof value === "boolean") return value ? yesNo.yes : yesNo.no;
  return String(value);
}

/** @param {Field[]} fields @param {any} values @param {{ yes: string, no: string }} yesNo */
function answerFields(fields, values, yesNo) {
  if (!isObject(values)) return null;
  const data = [];
  const lines = [];
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (isLeftOut(field, value)) {
      if (field.required) return null;
      continue;
    }
    const fit = fitted(field, value);
    if (fit === undefined) return null;
    data.push([field.name, fit]);
    lines.push(`${field.label}: ${shown(field, fit, yesNo)}`);
  }
  return data.length > 0 ? { data: Object.fromEntries(data), display: lines.join("\n") } : null;
}

/**
 * null: not an answer this form offers.
 * @param {unknown} schema @param {any} answer @param {{ yes: string, no: string }} [yesNo]
 */
export function answerForm(schema, answer, yesNo = { yes: "yes", no: "no" }) {
  refuseDepth(schema, answer);
  const fields = fieldsOf(schema);
  if (!fields || !isObject(answer)) return null;
  const named = ["choice", "freeText", "fields"].filter((key) => Object.hasOwn(answer, key) && answer[key] !== undefined);
  if (named.length !== 1) return null;
  const choice = choiceOf(fields);
  if (!choice) return named[0] === "fields" ? answerFields(fields, answer.fields, yesNo) : null;
  if (named[0] === "choice") {
    const option = choice.choice.options.find((o) => o.value === answer.choice);
    return option ? { data: Object.fromEntries([[choice.choice.name, option.value]]), display: option.label } : null;
  }
  if (named[0] !== "freeText" || !choice.text) return null;
  const text = fitted(choice.text, answer.freeText);
  return text === undefined ? null : { data: Object.fromEntries([[choice.text.name, text]]), display: text };
}
