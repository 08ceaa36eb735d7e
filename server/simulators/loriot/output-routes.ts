// Public NWK REST API 5.0, the data outputs of an application.
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { membersOf, type Output, ok, refuse, type Side, type Store } from './store.ts'

/** How many outputs a LORIOT account can have in one application (`outputLimit`). */
const mostOutputs = 3

export function createOutputRoutes(side: Side, store: Store): FarRoute[] {
  const inApplication =
    (handle: (call: FarCall) => FarAnswer): FarRoute[2] =>
    (call) =>
      call.params.app === store.applicationId
        ? handle(call)
        : refuse(403, 'Not enough permissions.')
  const path = '/1/nwk/app/:app/outputs'
  return [
    ['GET', path, inApplication(() => ok(store.outputs.map(describe)))],
    ['POST', path, inApplication((call) => createOutput(side, store, call))],
    ['DELETE', `${path}/:place`, inApplication((call) => deleteOutput(side, store, call))],
  ]
}

/** The type of the output, and a form with its values (`AppDataOutputType`). */
function describe({ output, osetup }: Output) {
  const form = Object.entries(osetup).map(([name, value]) => ({ name, type: 'text', value }))
  return { _id: output, title: output, location: 'local', form }
}

/** The answer to the call that makes an output has only one field of its form (`OutputDetail`). */
function describeNew(output: Output) {
  const { form, ...rest } = describe(output)
  return { ...rest, form: form[0] ?? {} }
}

function createOutput(side: Side, store: Store, call: FarCall): FarAnswer {
  const { output, osetup } = membersOf(call)
  if (typeof output !== 'string' || typeof osetup !== 'object' || osetup === null) {
    return refuse(400, 'Bad request')
  }
  if (store.outputs.length >= mostOutputs) return refuse(403, 'Not enough capacity.')
  const setup = osetup as Record<string, string>
  if (output === 'httppush' && !URL.canParse(setup.url ?? '')) return refuse(400, 'Bad request')
  store.outputs.push({ output, osetup: setup })
  followOutputs(side, store)
  return ok(store.outputs.map(describeNew))
}

function deleteOutput(side: Side, store: Store, { params }: FarCall): FarAnswer {
  const place = Number(params.place)
  if (!store.outputs[place]) return refuse(400, 'Bad request')
  store.outputs.splice(place, 1)
  followOutputs(side, store)
  return { status: 204 }
}

/** Every HTTP push output receives the messages. */
export function followOutputs(side: Side, { outputs }: Store) {
  side.callbacks = outputs
    .filter(({ output }) => output === 'httppush')
    .map(({ osetup: { url = '', auth = '' } }) => ({ url, headers: { authorization: auth } }))
}
