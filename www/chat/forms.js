/**
 * Checks answers before they are sent. The rules speak of schemas (section 6): to check one field of a form, or where an API does not tell the
 * question's schema, the form is written back as the plainest schema that gives this very form.
 *
 * @typedef {import("./types.js").InputForm} InputForm
 * @typedef {InputForm["fields"][number]} Field
 * @typedef {import("./types.js").Answer} Answer
 * @typedef {Pick<import("./component.js").Rules, "answerForm" | "inputForm">} Rules
 * @typedef {{ [name: string]: import("../../pkg/index.js").Json }} Values
 * @typedef {"required" | "invalid"} Problem
 */

/** @param {InputForm["options"]} options */
const oneOf = (options) => ({ oneOf: options.map(({ value, label }) => ({ const: value, title: label })) });

/** @param {Field} field */
function propertySchema(field) {
  if (field.type === "select") return oneOf(field.options);
  return { type: field.type === "text" ? "string" : field.type };
}

/** @param {InputForm} form */
export function schemaOf(form) {
  if (form.kind === "choice") {
    const properties = form.freeText ? { choice: oneOf(form.options), text: { type: "string" } } : { choice: oneOf(form.options) };
    return { type: "object", properties, required: form.freeText ? [] : ["choice"] };
  }
  return formSchema(form.fields);
}

/** `fromEntries` defines every name as data, also `__proto__` (W6). @param {Field[]} fields */
function formSchema(fields) {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, propertySchema(field)])),
    required: fields.filter((field) => field.required).map((field) => field.name),
  };
}

/** @param {Field} field @param {Values} values */
const isEmpty = (field, values) => {
  const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  return value === undefined || value === null || (value === "" && !field.options.some((option) => option.value === ""));
};

/**
 * What is wrong with each field (F6); empty: nothing. A field is checked in a form of its own with an optional companion, because a lone
 * property with options would be a choice.
 * @param {Rules | null} rules @param {InputForm} form @param {Values} values
 * @returns {Map<string, Problem>}
 */
export function fieldProblems(rules, form, values) {
  /** @type {Map<string, Problem>} */
  const problems = new Map();
  for (const field of form.fields) {
    if (isEmpty(field, values)) {
      if (field.required) problems.set(field.name, "required");
    } else if (rules !== null && !isAnswer(rules, formSchema([field, companionOf(field)]), { fields: { [field.name]: values[field.name] ?? null } })) {
      problems.set(field.name, "invalid");
    }
  }
  return problems;
}

/** @param {Field} field @returns {Field} */
function companionOf(field) {
  return { name: `${field.name} `, label: "", type: "boolean", required: false, description: "", options: [] };
}

/** @param {Rules} rules @param {unknown} schema @param {Answer} answer */
function isAnswer(rules, schema, answer) {
  return rules.answerForm(schema, answer) !== null;
}

/**
 * True when the form offers this answer as far as the page can tell. Where the rules are not loaded, or read the schema as another form than
 * the host did, the host decides.
 * @param {Rules | null} rules @param {InputForm} form @param {Answer} answer
 * @param {unknown} [schema] of the question; where the host does not tell it, one that gives this form
 */
export function mayAnswer(rules, form, answer, schema = schemaOf(form)) {
  return rules === null || rules.inputForm(schema).kind !== form.kind || isAnswer(rules, schema, answer);
}
