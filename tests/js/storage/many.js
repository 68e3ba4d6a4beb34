// Many conversations, made by the database itself in one statement that all of them understand.
import { sql } from "kysely";

/** How many, and of how many owners; each has a hundred, half of them archived, one pinned, a few busy. */
export const CONVERSATIONS = 100_000;
export const OWNERS = 1000;
/** `updated_at` of the oldest, and of one that is older than half of them; Unix seconds. */
export const OLDEST = 1_700_000_000;
export const MIDDLE = OLDEST + (CONVERSATIONS / 2) * 100;

/** @param {string} digit one of five, so that no database has to count */
const digits = (digit) => sql.raw(`(${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `select ${n} as ${digit}`).join(" union all ")}) as digit_${digit}`);

/** @param {import("kysely").Kysely<any>} db migrated, with no conversations @param {import("../../../pkg/storage/sql.js").SqlDialect} dialect */
export async function fill(db, dialect) {
  const number = sql`(a + 10 * b + 100 * c + 1000 * d + 10000 * e)`;
  const title = dialect === "mysql" ? sql`concat('page ', ${number})` : sql`'page ' || ${number}`;
  // A prime factor spreads the times over all owners and states.
  const moment = sql`${sql.lit(OLDEST)} + (${number} * 7919 % ${sql.lit(CONVERSATIONS)}) * 100`;
  const owner = dialect === "mysql" ? sql`cast(a + 10 * b + 100 * c as char)` : sql`cast(a + 10 * b + 100 * c as text)`;
  const status = sql`case when d = 1 and e = 1 and c = 1 and b = 1 then 'processing' when d = 2 and e = 2 and c = 2 and b = 2 then 'locked' when d = 3 then 'failed' else 'idle' end`;
  await sql`insert into agent_conversation (owner, owner_type, title, title_folded, status, revision, claim_id, error_message, error_code, run_uuid,
      last_run_uuid, decision, turn_digest, deny_reason, system_prompt, activity, archived, pinned, created_at, updated_at, message_count)
    select ${owner}, 'number', ${title}, ${title}, ${status}, 1, '', '', '', '', '', '', '', '', '', '[]', case when d >= 5 then 1 else 0 end,
      case when d = 0 and e = 0 then 1 else 0 end, ${sql.lit(OLDEST)}, ${moment}, 0
    from ${sql.join(["a", "b", "c", "d", "e"].map(digits))}`.execute(db);
  // Servers look by themselves at what was stored; the file's engine never does, and a host does not ask it to.
  if (dialect === "postgres") await sql`vacuum analyze agent_conversation`.execute(db);
  if (dialect === "mysql") await sql`analyze table agent_conversation`.execute(db);
}
