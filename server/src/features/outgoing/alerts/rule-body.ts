import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { largestInteger, optionalText, queryTime, requiredText } from '../../../http/fields.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import { alertKinds, type Severity, severities } from './alert-kinds.ts'
import { actionFields } from './rule-actions.ts'

/** The longest mute: whoever wants more switches the rule off. */
const longestDays = 366

export const muteBody = z.object(
  withExamples(
    {
      until: queryTime('until')
        .nullable()
        .describe('No notification is sent before; null ends the mute.'),
    },
    { until: '2026-03-02T06:00:00Z' },
  ),
)

export function readUntil({ until }: z.infer<typeof muteBody>, now: Date): Date | null {
  return until && readTimeAhead('until', until, now)
}

/** @throws HttpError 422 for a time that is over, or too far away. */
export function readTimeAhead(field: string, time: Date, now: Date): Date {
  const latest = now.getTime() + longestDays * 24 * 60 * 60 * 1000
  if (time <= now || time.getTime() > latest) {
    throw invalid({ [field]: [`The ${field} must be a time within the next ${longestDays} days.`] })
  }
  return time
}

/** Of an organization. */
export const mostRules = 50

const mostRecipients = 50

function optionalId(label: string) {
  const error = `The ${label} must be an id, or null.`
  return z.int({ error }).min(1, error).max(largestInteger, error).nullish()
}

function flag(label: string) {
  return z.boolean({ error: `The ${label} must be true or false.` })
}

const recipientsMessage = `The recipients must be up to ${mostRecipients} ids of members.`
const settingsMessage = 'The settings must be an object.'

const ownFields = withExamples(
  {
    name: requiredText('name', 100).optional(),
    severity: z
      .enum(severities, { error: `The severity must be one of: ${severities.join(', ')}.` })
      .optional()
      .describe('How bad it is. What is left out at first depends on the kind.'),
    settings: z
      .record(z.string(), z.unknown(), { error: settingsMessage })
      .optional()
      .describe(
        'Depends on the kind. What is left out has its usual value, and stays in a change.',
      ),
    device: optionalId('device').describe('Only this device.'),
    group: optionalId('group').describe('Only devices in this group and in the groups below it.'),
    type: optionalId('type').describe('Only devices of this device type.'),
    network: optionalText('network').describe('Only devices or gateways at this network.'),
    tag: tagChoice
      .nullish()
      .describe('Only devices or gateways with all of these tags, such as `floor:2,critical`.'),
    recipients: z
      .array(z.int({ error: recipientsMessage }).min(1, recipientsMessage), {
        error: recipientsMessage,
      })
      .max(mostRecipients, recipientsMessage)
      .optional()
      .describe('The ids of members who get mails.'),
    tells_back: flag('tells_back').optional().describe('A mail is also sent when it is over.'),
    is_active: flag('is_active').optional(),
  },
  {
    name: 'Silent sensors',
    severity: 'warning' as Severity,
    settings: { missed: 3, at_least_minutes: 60, at_most_minutes: null },
    device: null,
    group: null,
    type: null,
    network: null,
    tag: null,
    recipients: [],
    tells_back: true,
    is_active: true,
  },
)

/** What PATCH takes; POST takes the kind too. */
export const changeFields = { ...ownFields, ...actionFields }

export const ruleFields = {
  ...changeFields,
  name: requiredText('name', 100).meta({ examples: ['Silent sensors'] }),
  kind: z
    .enum(alertKinds, { error: `The kind must be one of: ${alertKinds.join(', ')}.` })
    .meta({ examples: ['device_silent'] }),
}

const changes = z.object(changeFields)

export type RuleChanges = z.infer<typeof changes>
