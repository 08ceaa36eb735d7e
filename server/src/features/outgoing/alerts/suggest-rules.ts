import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { allOfType } from '../../../sensors/measurements.ts'
import { endpoint } from '../../core-services.ts'
import { type AlertKind, alertKinds, type Severity, severities } from './alert-kinds.ts'
import type { Condition } from './condition-settings.ts'
import { list, type StoredRule } from './rule-queries.ts'
import { type ColdPlace, type FleetFacts, type FoundType, findFacts } from './suggestion-queries.ts'

const suggested = z
  .object(
    withExamples(
      {
        reason: z.string().describe('Why, in a few words: what the fleet has.'),
        rule: z
          .object({
            name: z.string(),
            kind: z.enum(alertKinds),
            severity: z.enum(severities),
            settings: z.record(z.string(), z.unknown()),
            device: z.int().nullable(),
            group: z.int().nullable(),
          })
          .describe('As `POST /alert-rules` takes it.'),
      },
      {
        reason: '12 door or contact sensors',
        rule: {
          name: 'Open for longer than 10 minutes',
          kind: 'condition' as AlertKind,
          severity: 'warning' as Severity,
          settings: {
            conditions: [{ quantity: 'action.contactState', is: 'equal', value: 'open' }],
            minutes: 10,
          },
          device: null,
          group: null,
        },
      },
    ),
  )
  .meta({ id: 'SuggestedRule' })

type Suggested = z.infer<typeof suggested>
type Draft = Omit<Suggested['rule'], 'device' | 'group'> & Partial<Suggested['rule']>

export const suggestRules = endpoint({
  summary: 'Rules that most fleets want, by what this one has',
  description:
    'Silence, low batteries, water, open doors, and what is too warm for a fridge, a freezer or a cold room, which are known by the names of groups and devices. None is on before somebody makes it. What a rule looks for already is not suggested.',
  answer: z.object({
    data: z.array(suggested),
    ...withExamples({ rules: z.int().describe('That the organization has.') }, { rules: 0 }),
  }),
  async handle({ caller: { organizationId } }, { db }) {
    const facts = await findFacts(db, organizationId)
    const rules = await list(db, organizationId)
    const data = suggestionsFor(facts).filter(({ rule }) => !rules.some((one) => covers(one, rule)))
    return { data, rules: facts.rules }
  },
})

/** Whether a rule looks for the same already, whatever its limits. */
function covers(known: StoredRule, { kind, settings, device, group }: Suggested['rule']): boolean {
  if (known.kind !== kind) return false
  if (kind !== 'condition') return true
  const asked = quantitiesOf(settings)
  const looks = quantitiesOf(known.settings)
  const isSamePlace = known.device_id === device && known.group_id === group
  return isSamePlace && asked.every((quantity) => looks.includes(quantity))
}

function quantitiesOf(settings: object): (string | null)[] {
  const conditions = 'conditions' in settings ? (settings.conditions as Condition[]) : []
  return conditions.map(({ quantity }) => quantity)
}

function suggestionsFor({ gateways, types, cold }: FleetFacts): Suggested[] {
  const devices = types.reduce((sum, type) => sum + type.devices, 0)
  const having = (quantity: string) =>
    types.reduce((sum, type) => sum + (measures(type, quantity) ? type.devices : 0), 0)
  const of = (count: number, one: string, reason: Draft) =>
    count === 0 ? [] : [suggestion(`${count} ${count === 1 ? one : `${one}s`}`, reason)]
  return [
    ...of(gateways, 'gateway', silence('gateway_silent', 'Silent gateways', 'critical')),
    ...of(devices, 'device', silence('device_silent', 'Silent devices', 'warning')),
    ...of(devices, 'device', silence('low_battery', 'Low batteries', 'warning')),
    ...of(having('water.leak'), 'water sensor', {
      ...{ name: 'Water', kind: 'condition', severity: 'critical' },
      settings: isState('water.leak', 'present'),
    }),
    ...of(having('action.contactState'), 'door or contact sensor', {
      ...{ name: 'Open for longer than 10 minutes', kind: 'condition', severity: 'warning' },
      settings: { ...isState('action.contactState', 'open'), minutes: 10 },
    }),
    ...cold.flatMap((place) => tooWarm(place, types)),
  ]
}

function suggestion(reason: string, rule: Draft): Suggested {
  return { reason, rule: { device: null, group: null, ...rule } }
}

function silence(kind: AlertKind, name: string, severity: Severity): Draft {
  return { name, kind, severity, settings: {} }
}

function isState(quantity: string, value: string) {
  return { conditions: [{ quantity, is: 'equal', value }] }
}

/** Degrees above which food or medicine is in danger, and those of a freezer. */
const [warmest, warmestFrozen] = [8, -15]

function tooWarm(place: ColdPlace, types: readonly FoundType[]): Suggested[] {
  const inside = types.filter(({ type_id }) => place.types.includes(type_id))
  const quantity = ['temperature', 'air.temperature'].find((each) =>
    inside.some((type) => measures(type, each)),
  )
  if (quantity === undefined) return []
  const limit = /freezer/i.test(place.name) ? warmestFrozen : warmest
  const rule: Draft = {
    ...{ name: `Too warm: ${place.name}`.slice(0, 100), kind: 'condition', severity: 'critical' },
    settings: { conditions: [{ quantity, is: 'above', value: limit }], minutes: 30 },
    [place.kind]: place.id,
  }
  return [suggestion(`${place.name}: above ${limit} °C for 30 minutes`, rule)]
}

function measures({ type_id, measurements }: FoundType, quantity: string): boolean {
  return [...allOfType(type_id), ...(measurements ?? [])].some((one) => one.quantity === quantity)
}
