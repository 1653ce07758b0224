import { z } from "zod";
import { isOneLine } from "../../model/one-line.ts";
import { INVITATION_LENGTH, SETUP_STEPS, type SetupView } from "../../model/setup.ts";
import { isZone } from "../../model/zone.ts";
import { type ApiRoute, type RouteInput, route } from "../../web/route.ts";
import { Count, list, Ms, Name, Text } from "../../web/schemas.ts";
import { LANGUAGES, type Language } from "../../words/language.ts";

/** The operations of a browser on an unconfigured recorder; refusals are RecorderdErrors. */
export interface SetupApi {
  view(): SetupView;
  guide(where: {
    readonly url: string;
    readonly apiKey?: string | undefined;
    readonly email?: string | undefined;
    readonly password?: string | undefined;
  }): Promise<void>;
  /** Takes the answers from the invitation of a node of a fleet. */
  join(invited: { readonly invitation: string; readonly node?: string | undefined }): Promise<void>;
  /** Makes the recorder a node of the fleet that has this database. */
  fleet(joined: {
    readonly database: string;
    readonly node?: string | undefined;
    readonly password?: string | undefined;
    readonly secret?: string | undefined;
  }): Promise<void>;
  recorder(choice: {
    readonly region: string;
    readonly device: string;
    readonly language?: Language | undefined;
    readonly timeZone?: string | undefined;
  }): Promise<void>;
  look(): Promise<void>;
  addTuner(words: {
    readonly kind: string;
    readonly place: string;
    readonly channelList?: string | undefined;
  }): Promise<void>;
  tryTuner(id: string): Promise<void>;
  /** Tries the credentials at the tuner's server, and then the tuner. */
  signInTuner(id: string, who: { readonly user: string; readonly password: string }): Promise<void>;
  removeTuner(id: string): Promise<void>;
  recordings(wanted: {
    readonly folder: string;
    readonly before: string;
    readonly after: string;
  }): Promise<void>;
  user(name: string, password: string): Promise<void>;
  /** Writes the configuration; the recorder starts when the answer is sent. */
  finish(): Promise<void>;
}

const Choices = list(z.object({ id: Count, name: Text }));

const TrialSchema = z.discriminatedUnion("result", [
  z.object({
    result: z.literal("works"),
    channel: Text,
    afterMs: Ms,
    received: Count,
    channels: Count,
  }),
  z.object({ result: z.literal("sign-in-needed") }),
  z.object({ result: z.literal("scan-needed"), frequencies: Count }),
  z.object({ result: z.literal("other-channels"), channels: Count, services: Count, examples: list(Text) }),
  z.object({ result: z.literal("silent"), channel: Text }),
  z.object({ result: z.literal("not-received"), channel: Text, text: Text }),
  z.object({ result: z.literal("failed"), text: Text }),
]);

/** Not registered by name: the recorder's OpenAPI document does not cover setup. */
const SetupSchema = z.object({
  file: Text,
  guide: z
    .object({
      url: Text,
      regions: Choices,
      account: Text.exactOptional(),
      devices: Choices,
      regionId: Count.exactOptional(),
      deviceId: Count.exactOptional(),
    })
    .exactOptional(),
  timeZone: Text.exactOptional(),
  kinds: list(
    z.object({
      kind: Text,
      name: Text,
      label: Text,
      example: Text,
      channelList: z.enum(["required", "optional", "none"]),
      isSimulator: z.literal(true).exactOptional(),
    }),
  ),
  offers: list(z.object({ text: Text, kind: Text, place: Text, wantsList: z.boolean() })).exactOptional(),
  tuners: list(
    z.object({
      id: Text,
      kind: Text,
      place: Text,
      tried: TrialSchema.exactOptional(),
    }),
  ),
  recordings: z
    .object({
      folder: Text,
      beforeSeconds: Count,
      afterSeconds: Count,
      isNew: z.boolean(),
      freeBytes: Count,
    })
    .exactOptional(),
  language: Text.exactOptional(),
  fleet: z
    .object({ database: Text, node: Text.exactOptional(), commands: list(Text).exactOptional() })
    .exactOptional(),
  needsUser: z.boolean(),
  user: Text.exactOptional(),
  missing: list(z.enum(SETUP_STEPS)),
});

const Address = z.string().min(1).max(2000);
const Path = z.string().min(1).max(4000);
const Secret = z.string().min(1).max(1000);
const Id = z.strictObject({ id: Name });

/**
 * The questions of `recorderd setup` for a browser. Every answer is checked at once; secrets come in and never go
 * out.
 */
export function setupRoutes(api: SetupApi): readonly ApiRoute[] {
  const answered =
    <P, Q, B>(work: (asked: RouteInput<P, Q, B>) => void | Promise<void>) =>
    async (asked: RouteInput<P, Q, B>): Promise<SetupView> => {
      await work(asked);
      return api.view();
    };
  return [
    route({
      method: "GET",
      path: "/v1/setup",
      summary: "The answers so far, without secrets, and the missing ones",
      answer: SetupSchema,
      handle: () => api.view(),
    }),
    route({
      method: "POST",
      path: "/v1/setup/guide",
      summary: "The address of the guide service, and the account to sign in with",
      body: z.strictObject({
        url: Address,
        apiKey: Secret.exactOptional(),
        email: Name.exactOptional(),
        password: Secret.exactOptional(),
      }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.guide(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/join",
      summary: "The invitation of a node of a fleet, and the name of this recorder there",
      body: z.strictObject({
        invitation: z.string().min(1).max(INVITATION_LENGTH),
        node: Name.exactOptional(),
      }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.join(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/fleet",
      summary:
        "The database of a fleet, its password, the secret of the fleet, and the name of this recorder there",
      body: z.strictObject({
        database: Address,
        password: Secret.exactOptional(),
        secret: Secret.exactOptional(),
        node: Name.exactOptional(),
      }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.fleet(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/recorder",
      summary:
        "The region, the account's device for this recorder (its number, new, or all), and language and time zone of its messages",
      body: z.strictObject({
        region: Name,
        device: Name,
        language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]).exactOptional(),
        timeZone: z
          .string()
          .max(100)
          .refine(isZone, "expected a time zone such as Europe/Berlin")
          .exactOptional(),
      }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.recorder(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/look",
      summary: "Search this machine for cards and its networks for servers, for a few seconds",
      answer: SetupSchema,
      handle: answered(() => api.look()),
    }),
    route({
      method: "POST",
      path: "/v1/setup/tuners",
      summary: "Add a tuner",
      body: z.strictObject({ kind: Name, place: Address, channelList: Path.exactOptional() }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.addTuner(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/tuners/:id/try",
      summary: "Test which channels of the guide a tuner receives",
      params: Id,
      answer: SetupSchema,
      handle: answered(({ params }) => api.tryTuner(params.id)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/tuners/:id/sign-in",
      summary: "User and password for the server of a tuner; both are tested together with the tuner",
      params: Id,
      body: z.strictObject({ user: Secret, password: z.string().max(1000) }),
      answer: SetupSchema,
      handle: answered(({ params, body }) => api.signInTuner(params.id, body)),
    }),
    route({
      method: "DELETE",
      path: "/v1/setup/tuners/:id",
      summary: "Remove a tuner from the answers",
      params: Id,
      answer: SetupSchema,
      handle: answered(({ params }) => api.removeTuner(params.id)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/recordings",
      summary: "The folder for recordings, and the padding in seconds",
      body: z.strictObject({ folder: Path, before: z.string().max(20), after: z.string().max(20) }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.recordings(body)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/user",
      summary: "The first user of the recorder",
      body: z.strictObject({
        name: Name.regex(/^[^:]*$/, "expected a name without a colon").refine(
          isOneLine,
          "expected one line of text",
        ),
        password: z.string().min(8, "expected at least 8 characters").max(1000),
      }),
      answer: SetupSchema,
      handle: answered(({ body }) => api.user(body.name, body.password)),
    }),
    route({
      method: "POST",
      path: "/v1/setup/finish",
      summary: "Write the configuration and the secrets; the recorder then starts at the same address",
      answer: SetupSchema,
      handle: answered(() => api.finish()),
    }),
  ];
}
