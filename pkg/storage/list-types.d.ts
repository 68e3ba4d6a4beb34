import type { Conversation, Uid } from "../index.js";

/** A conversation without its messages. */
export type ConversationSummary = Omit<Conversation, "uid" | "messages"> & { uid: number; messageCount: number };

/** What a list view asks for. It decides no rights: pass the owners the reader may see. */
export interface ListQuery {
  /** Only theirs; an empty list: nobody's; absent: everybody's. */
  owners?: readonly Uid[];
  /** Part of the title, upper and lower case alike. */
  search?: string;
  /** Only such rows; absent: all. */
  archived?: boolean;
  limit: number;
}
