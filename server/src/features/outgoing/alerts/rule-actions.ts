import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { type FieldErrors, forbidden, lacksPermission } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { largestInteger } from '../../../http/fields.ts'
import { payloadField, portField } from '../../downlinks/raw-message.ts'
import * as webhookQueries from '../webhooks/webhook-queries.ts'
import { type AlertKind, gatewayKinds } from './alert-kinds.ts'
import { findCompared } from './reading-queries.ts'

/** What a rule does when an alert opens or closes. */

const mostActions = 5
const actionsMessage = `The actions must be up to ${mostActions} of the type downlink or webhook.`
const perHourMessage = 'The actions_per_hour must be an integer from 1 to 60.'

const id = (label: string) => {
  const error = `The ${label} must be an id.`
  return z.int({ error }).min(1, error).max(largestInteger, error)
}

const at = z
  .enum(['open', 'close'], { error: 'The at must be open or close.' })
  .default('open')
  .describe('When the alert opens, or when it is over.')

const action = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('downlink'),
      at,
      device: id('device')
        .nullable()
        .default(null)
        .describe('To which device; null: the one that the alert is about.'),
      f_port: portField,
      payload: payloadField,
    }),
    z.strictObject({ type: z.literal('webhook'), at, webhook: id('webhook') }),
  ],
  { error: actionsMessage },
)

export type RuleAction = z.infer<typeof action>

export const usualPerHour = 10

export const actionFields = withExamples(
  {
    actions: z
      .array(action, { error: actionsMessage })
      .max(mostActions, actionsMessage)
      .optional()
      .describe(
        'Done when an alert opens or closes, also while the rule is muted. One with a webhook needs `manage_account`.',
      ),
    actions_per_hour: z
      .int({ error: perHourMessage })
      .min(1, perHourMessage)
      .max(60, perHourMessage)
      .optional()
      .describe('Of the rule, all of them together.'),
  },
  { actions: [], actions_per_hour: usualPerHour },
)

export interface StoredActions {
  actions: readonly RuleAction[]
  actions_per_hour: number
  /** Who has said what is done, and in whose name it is. */
  actions_by: number | null
}

/**
 * The actions of a rule after a change. What they need of permissions is checked here, once.
 *
 * @throws HttpError 403 for a webhook without `manage_account`.
 */
export async function readActions(
  db: Queryable,
  {
    organizationId,
    userId,
    permissions,
  }: Pick<Caller, 'organizationId' | 'userId' | 'permissions'>,
  {
    kind,
    stored,
    body,
  }: {
    kind: AlertKind
    stored: StoredActions | undefined
    body: { actions?: RuleAction[] | undefined; actions_per_hour?: number | undefined }
  },
  errors: FieldErrors,
): Promise<StoredActions> {
  const actions_per_hour = body.actions_per_hour ?? stored?.actions_per_hour ?? usualPerHour
  const was = { actions: stored?.actions ?? [], actions_by: stored?.actions_by ?? null }
  const { actions } = body
  if (!actions || isSame(actions, was.actions)) return { ...was, actions_per_hour }
  for (const [place, one] of actions.entries()) {
    const [field, message] = (await findFault(db, organizationId, kind, one)) ?? []
    if (field) errors[`actions.${place}.${field}`] = [message ?? '']
  }
  const isOfWebhook = ({ type }: RuleAction) => type === 'webhook'
  if (actions.some(isOfWebhook) && !permissions.includes('manage_account')) {
    throw forbidden(lacksPermission('manage_account'), userId)
  }
  return { actions, actions_per_hour, actions_by: actions.length > 0 ? userId : null }
}

/** Whatever the order of the members: `jsonb` has one of its own. */
function isSame(one: readonly RuleAction[], other: readonly RuleAction[]): boolean {
  const textOf = (actions: readonly RuleAction[]) =>
    JSON.stringify(actions.map((each) => Object.entries(each).toSorted()))
  return textOf(one) === textOf(other)
}

async function findFault(
  db: Queryable,
  organizationId: number,
  kind: AlertKind,
  action: RuleAction,
): Promise<[string, string] | undefined> {
  if (action.type === 'webhook') {
    const isThere = await webhookQueries.find(db, organizationId, action.webhook)
    return isThere ? undefined : ['webhook', 'The selected webhook is invalid.']
  }
  const { device } = action
  if (device === null) {
    return gatewayKinds.includes(kind)
      ? ['device', 'Choose a device: the rule is about gateways.']
      : undefined
  }
  const { devices } = await findCompared(db, organizationId, { device, group: null })
  return devices.length > 0 ? undefined : ['device', 'The selected device is invalid.']
}
