// Data outputs of an application: GET and POST /1/nwk/app/{APPID}/outputs, DELETE .../{OUTPUTID}.
// The file of the API shows for an output its type (`_id`, here `httppush`) and a form with values,
// and not what its id for DELETE is: that is its place in the list, as in Cumulocity's connector
// (SoftwareAG/cumulocity-lora, LoriotConnector.configureRoutings).

import { isObject, type JsonObject } from '../message-fields.ts'
import type { Callback, CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { applicationPath, change, isAboutMissing, type Session } from './client.ts'

const outputType = 'httppush'
/** Shown to the owner. */
const outputName = 'Callback'

/**
 * Adds our own output to the others. The new output exists before an older one of the same
 * address is removed, so that no message is missed.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const before = await listOutputs(session)
  if (before.some(isHidden)) throw unreadable()
  const older = before.filter((output) => isOurs(output, callback))
  const isThere = older.some((output) => settingOf(output, 'auth') === callback.value)
  if (!isThere) {
    await change(session, {
      method: 'POST',
      path: applicationPath(session, 'outputs'),
      body: {
        output: outputType,
        osetup: { name: outputName, url: callback.url, auth: callback.value },
      },
    })
  }
  await remove(session, callback, isThere ? older.length - 1 : older.length, callback.value)
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const outputs = await listOutputs(session)
  const ours = outputs.filter((output) => isOurs(output, callback))
  // A hidden secret counts as unchanged.
  const isSent = (auth: string | undefined) => auth === undefined || auth === callback.value
  if (ours.some((output) => isSent(settingOf(output, 'auth')))) {
    return { state: 'set', words: '' }
  }
  if (ours.length > 0) {
    const words = 'The output of the application at LORIOT does not send what was set as its auth.'
    return { state: 'changed', words }
  }
  if (outputs.some(isHidden)) throw unreadable()
  return {
    state: 'missing',
    words: 'No output of the application at LORIOT leads to the callback.',
  }
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const count = (await listOutputs(session)).filter((output) => isOurs(output, callback)).length
  await remove(session, callback, count)
}

/** Removes the first `count` outputs of the callback, and lists the outputs again after each. */
async function remove(session: Session, callback: Callback, count: number, keptValue?: string) {
  const findPlace = async () =>
    (await listOutputs(session)).findIndex(
      (output) =>
        isOurs(output, callback) &&
        (keptValue === undefined || settingOf(output, 'auth') !== keptValue),
    )
  for (let removed = 0; removed < count; removed += 1) {
    const place = await findPlace()
    if (place < 0) return
    try {
      const path = applicationPath(session, `outputs/${place}`)
      await change(session, { method: 'DELETE', path })
    } catch (error) {
      // The output may be gone already.
      if (!isAboutMissing(error) || (await findPlace()) >= 0) throw error
    }
  }
}

async function listOutputs(session: Session): Promise<JsonObject[]> {
  const path = applicationPath(session, 'outputs')
  const { body } = await session.client.call({ method: 'GET', path })
  return Array.isArray(body) ? body.map((item) => (isObject(item) ? item : {})) : []
}

function isOurs(output: JsonObject, { url }: Callback): boolean {
  return typeOf(output) === outputType && settingOf(output, 'url') === url
}

/** An output whose address LORIOT does not show may be ours. */
function isHidden(output: JsonObject): boolean {
  return typeOf(output) === outputType && settingOf(output, 'url') === undefined
}

function typeOf(output: JsonObject): unknown {
  return output._id ?? output.output
}

/** A setting stands under `osetup`, or as the value of a field of the form. */
function settingOf(output: JsonObject | undefined, name: string): string | undefined {
  if (!output) return undefined
  const setup = isObject(output.osetup) ? output.osetup[name] : undefined
  const fields = Array.isArray(output.form) ? output.form.filter(isObject) : []
  const shown = fields.find((field) => field.name === name)?.value
  const value = setup ?? shown
  return typeof value === 'string' ? value : undefined
}

function unreadable(): NetworkError {
  return new NetworkError(
    'refused',
    'LORIOT does not show where the outputs of the application send to, and one of them may be ours.',
  )
}
