/**
 * What the services accept, as they publish it: docs.slack.dev (incoming webhooks), adaptivecards.io/schemas and
 * learn.microsoft.com (workflows of Teams), core.telegram.org/bots/api#sendmessage,
 * developer.pagerduty.com/docs/events-api-v2, docs.ntfy.sh/publish#publish-as-json. What we do not send is
 * left out, and nothing else is accepted.
 */

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const link = { type: 'string', format: 'uri', maxLength: 2000 }

function object(properties: Record<string, object>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

const textBlock = object(
  {
    type: { const: 'TextBlock' },
    text: text(28_000),
    wrap: { type: 'boolean' },
    weight: { enum: ['Default', 'Lighter', 'Bolder'] },
  },
  ['wrap', 'weight'],
)

const card = object({
  $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
  type: { const: 'AdaptiveCard' },
  version: { type: 'string', pattern: '^1\\.[0-5]$' },
  body: { type: 'array', items: textBlock, minItems: 1 },
  actions: {
    type: 'array',
    items: object({ type: { const: 'Action.OpenUrl' }, title: text(200), url: link }),
  },
})

export const channelSchemas = {
  slack: object({ text: text(40_000), unfurl_links: { type: 'boolean' } }, ['unfurl_links']),
  teams: object({
    type: { const: 'message' },
    attachments: {
      type: 'array',
      minItems: 1,
      items: object({
        contentType: { const: 'application/vnd.microsoft.card.adaptive' },
        contentUrl: { type: 'null' },
        content: card,
      }),
    },
  }),
  telegram: object(
    {
      chat_id: text(100),
      text: text(4096),
      link_preview_options: object({ is_disabled: { type: 'boolean' } }),
    },
    ['link_preview_options'],
  ),
  pagerduty: object(
    {
      routing_key: { type: 'string', minLength: 32, maxLength: 32 },
      event_action: { enum: ['trigger', 'acknowledge', 'resolve'] },
      dedup_key: text(255),
      payload: object({
        summary: text(1024),
        source: text(1024),
        severity: { enum: ['critical', 'error', 'warning', 'info'] },
        custom_details: { type: 'object' },
      }),
      links: { type: 'array', items: object({ href: link, text: text(1024) }) },
    },
    ['links'],
  ),
  ntfy: object(
    {
      topic: { type: 'string', pattern: '^[-_A-Za-z0-9]{1,64}$' },
      title: text(250),
      message: text(4096),
      priority: { type: 'integer', minimum: 1, maximum: 5 },
      click: link,
    },
    ['title', 'priority', 'click'],
  ),
  sms: object({ to: text(20), text: text(500) }),
} as const
