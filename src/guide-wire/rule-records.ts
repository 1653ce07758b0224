import { z } from "zod";
import { Flag, Id, Minutes, type Wire } from "./records.ts";

/*
 * Rules, an extension of the field: `model/rule.ts` says what the fields mean, `rule-fields.ts` converts them. Lists
 * are texts with commas, so that every field is an attribute in XML.
 */

const ruleFields = {
  name: z.string(),
  is_paused: Flag.optional(),
  words: z.string().optional(),
  expression: z.string().optional(),
  series_id: Id.optional(),
  genres: z.string().optional(),
  /** `title` or `all`. */
  search_in: z.string().optional(),
  exclude: z.string().optional(),
  channel_ids: z.string().optional(),
  /** 1 (Monday) to 7. */
  weekdays: z.string().optional(),
  /** Minutes of the day in the region's zone. */
  start_after: z.int().optional(),
  start_before: z.int().optional(),
  min_minutes: z.int().optional(),
  max_minutes: z.int().optional(),
  is_new_only: Flag.optional(),
  /** `any` or `first`. */
  airing: z.string().optional(),
  recording_quality: z.string().optional(),
  keep_newest: z.int().optional(),
  priority: z.int().optional(),
  "pre-padding": Minutes.optional(),
  "post-padding": Minutes.optional(),
  folder: z.string().optional(),
};

/** An order for every show that fits, each episode once. */
export const Rule = z.object({
  id: z.int(),
  device_id: z.int(),
  ...ruleFields,
  /** ISO 8601. */
  created_at: z.string().optional(),
});
export type Rule = Wire<typeof Rule>;

export const RuleOrder = z.object({ device_id: z.int(), ...ruleFields });
export type RuleOrder = Wire<typeof RuleOrder>;

/** Replaces every field but the device: an omitted one is absent afterwards. */
export const RuleChange = z.object({ device_id: z.int().optional(), ...ruleFields });
export type RuleChange = Wire<typeof RuleChange>;

/** `id` is that of the rule which the order would replace. */
export const RulePreviewOrder = z.object({ id: z.int().optional(), device_id: z.int(), ...ruleFields });
export type RulePreviewOrder = Wire<typeof RulePreviewOrder>;

/** A show that fits the order of a preview. */
export const RuleMatch = z.object({
  show_id: z.int(),
  channel_id: z.int(),
  title: z.string(),
  subtitle: z.string().optional(),
  /** ISO 8601. */
  start: z.string(),
  stop: z.string(),
  /** One of RULE_OUTCOMES in model/rule.ts. */
  outcome: z.string(),
  /** 1: the guide identifies the episode. */
  is_identified: Flag,
});
export type RuleMatch = Wire<typeof RuleMatch>;
