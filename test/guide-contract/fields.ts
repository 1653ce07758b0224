/* Fields that the interface gives to each record, with their JSON types. Those of icons and triplets may be absent. */

type FieldType = "number" | "string";
export type Fields = Readonly<Record<string, FieldType>>;

export const FIELDS = {
  region: {
    ...{ id: "number", name: "string", city: "string", state: "string", country: "string" },
    ...{ country_code_3: "string", timezone: "string" },
  },
  channel: {
    ...{ id: "number", name: "string", name_short: "string", network_id: "number", region_id: "number" },
    ...{ is_hd: "number", lcns: "string", region_name: "string", network_name: "string" },
    is_hidden: "number",
  },
  manufacturer: { id: "string", name: "string", url: "string" },
  type: {
    ...{ id: "number", manufacturer_id: "number", manufacturer_name: "string" },
    ...{ manufacturer_url: "string", model: "string", notes: "string", can_have_device_sub: "number" },
  },
  device: { id: "number", uid: "string", label: "string", type_id: "number" },
  timer: {
    ...{ id: "string", name: "string", device_id: "number", channel_id: "number", show_id: "number" },
    ...{ start_time: "string", duration_minutes: "number", action: "string", state: "string" },
    ...{ message: "string", series_recording_id: "number", keyword_id: "number", eit_id: "number" },
  },
  show: {
    ...{ id: "number", channel_id: "number", series_id: "string", episode_id: "string", start: "string" },
    ...{ stop: "string", start_unix: "number", stop_unix: "number", title: "string", eit_id: "number" },
  },
  popular: { series_id: "string", num_votes: "number", popularity_ratio: "number" },
  newShow: { series_id: "string", start_date: "string", channel_id: "number" },
} as const satisfies Readonly<Record<string, Fields>>;
