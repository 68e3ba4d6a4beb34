/** JSON Schema checks through ajv. */
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/**
 * @typedef {(value: unknown) => string | null} Check null: fits; otherwise what does not, in a few words
 */

const OPTIONS = { strict: false, validateFormats: false, addUsedSchema: false, logger: /** @type {const} */ (false) };

/**
 * Compiles a schema. Each schema has a validator of its own, so that schemas of questions, which are made anew for each call,
 * are not kept for ever, and two schemas with one `$id` do not disturb each other.
 * @param {unknown} schema a JSON Schema object (draft 7 up to 2020-12); `$schema` and `$id` are not resolved
 * @returns {Check}
 * @throws {Error} when the schema itself is broken
 */
export function compileSchema(schema) {
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) throw new TypeError("a JSON Schema must be an object");
  const { $schema, $id, ...rules } = /** @type {Record<string, unknown>} */ (schema);
  const ajv = typeof $schema === "string" && /20(19|20)-/.test($schema) ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  const validate = ajv.compile(rules);
  return (value) => {
    if (validate(value)) return null;
    const [first] = validate.errors ?? [];
    return first ? `${first.instancePath || "/"} ${first.message ?? "is not valid"}`.slice(0, 300) : "is not valid";
  };
}
