// What each activation of an end device requires and forbids, and the predefined sets of its values,
// EndDeviceDto of the GMS REST API 3.2.6. The file does not list the sets: classes, versions and
// revisions are those of the LoRaWAN specifications, in the form of LORIOT's migration tool.
import { textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer } from '../far-call.ts'
import { type Dto, refuse } from './store.ts'

const sets: Record<string, readonly string[]> = {
  activation: ['ABP', 'OTAA'],
  classType: ['A', 'B', 'C'],
  macVersion: ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4', '1.1.0'],
  regParamsRevision: ['A', 'B'],
}

/** Refuses a value that is in no predefined set. */
export function checkSets(body: Dto): FarAnswer | undefined {
  const wrong = Object.entries(sets).find(
    ([name, set]) => body[name] !== undefined && !set.includes(textOf(body[name])),
  )
  return wrong && refuse(400, 'INVALID_FIELD', `unknown ${wrong[0]} ${body[wrong[0]]}`)
}

/** By activation: the fields that are its own, and their numbers of digits. */
const fields: Record<string, Record<string, number>> = {
  OTAA: { appEui: 16, appKey: 32 },
  ABP: { devAddr: 8, nwkSKey: 32, appSKey: 32 },
}

/** The fields of the activation are mandatory, and those of the other one are not taken. */
export function checkActivation(body: Dto): FarAnswer | undefined {
  for (const [activation, own] of Object.entries(fields)) {
    for (const [name, digits] of Object.entries(own)) {
      const value = body[name]
      if (activation !== body.activation && value !== undefined) {
        return refuse(400, 'INVALID_FIELD', `the field ${name} is for ${activation} only`)
      }
      if (activation !== body.activation) continue
      if (value === undefined) return refuse(400, 'MISSING_FIELD', `the field ${name} is mandatory`)
      if (textOf(value).length !== digits || !/^[0-9A-F]+$/.test(textOf(value))) {
        return refuse(400, 'INVALID_FIELD', `invalid ${name}`)
      }
    }
  }
  return undefined
}

/** Fields that a change may not have ("Some fields of EndDeviceDto cannot be updated"). */
export function refuseFixed(record: Dto, body: Dto): FarAnswer | undefined {
  const own = Object.keys(fields[textOf(record.activation)] ?? {})
  const fixed = ['activation', 'macVersion', 'rfRegion', 'regParamsRevision', ...own]
  const changed = fixed.find((name) => body[name] !== undefined)
  if (!changed) return undefined
  return refuse(400, 'FIELD_NOT_PATCHABLE', `the field ${changed} cannot be patched`)
}
