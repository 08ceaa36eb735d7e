import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addBenchDevice, startBench } from '../../../test/downlinks.ts'
import { doorType } from '../../../test/fleet.ts'
import { type Element, findAll, parseHtml, textOf, walk } from '../../../test/html.ts'
import { fc } from '../../../test/properties.ts'
import { ownerEmail, ownerPassword } from '../../../test/service.ts'
import { markupOf } from '../../http/html.ts'
import { deviceTypes } from '../../sensors/index.ts'
import { configurationForm } from './configuration-form.ts'

const bench = await startBench({ after })
const { service } = bench

async function showForm(eui: string) {
  const answer = await service.call('GET', `/v1/devices/${eui}/configure/create`)
  assert.equal(answer.status, 200, answer.text)
  return { answer, form: parseHtml(answer.text) }
}

/** What a browser would send of a form, its names taken apart into members. */
function submit(form: Element) {
  const body: Record<string, unknown> = {}
  for (const element of walk(form)) {
    const { name, value = '', type } = element.attributes
    if (name === undefined || (type === 'radio' && !('checked' in element.attributes))) continue
    const options = findAll(element, 'option')
    const selected = options.find((option) => 'selected' in option.attributes) ?? options[0]
    put(body, name, selected ? (selected.attributes.value ?? '') : value)
  }
  return body
}

function put(body: Record<string, unknown>, name: string, value: string) {
  const path = name.split(/[[\]]+/).filter(Boolean)
  const last = path.pop() ?? ''
  let target = body
  for (const member of path) {
    target[member] ??= {}
    target = target[member] as Record<string, unknown>
  }
  target[last] = value
}

// shows 4.15.1-4, 10.8.12
test('is a piece of HTML with three sections and what is hidden', async () => {
  const { eui } = await addBenchDevice(bench, 1)
  const { answer, form } = await showForm(eui)
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/)
  const inputs = findAll(form, 'input').map(({ attributes }) => attributes)
  const radios = inputs.filter(({ type }) => type === 'radio')
  assert.ok(radios.every(({ name }) => name === 'config_field[config_type]'))
  assert.deepEqual(
    radios.map(({ value }) => value),
    ['sensor', 'general', 'advanced'],
  )
  const hidden = inputs.filter(({ type }) => type === 'hidden')
  assert.deepEqual(
    hidden.map(({ name }) => name),
    ['deviceId', 'config_field[islorawan]', '_token'],
  )
  assert.deepEqual([hidden[0]?.value, hidden[1]?.value], [eui, '1'])
})

// shows 10.8.10
test('names fields, says units and defaults, and what is inferred', async () => {
  const form = parseHtml(markupOf(formOf(doorType.id)))
  const names = [...findAll(form, 'select'), ...findAll(form, 'input')]
    .filter(({ attributes }) => !['hidden', 'radio'].includes(attributes.type ?? ''))
    .map(({ attributes }) => attributes.name ?? '')
  assert.ok(names.length > 5)
  const pattern = /^config_field\[(\d+\]\[(main|group)|[a-z_]+)\]$/
  for (const name of names) assert.match(name, pattern)
  assert.ok(names.some((name) => /\]\[main\]$/.test(name)))
  assert.ok(names.some((name) => /\]\[group\]$/.test(name)))
  const period = findAll(form, 'select').find(
    ({ attributes }) => attributes.name === 'config_field[supervisory_period]',
  )
  assert.ok(period)
  const chosen = findAll(period, 'option').find(({ attributes }) => 'selected' in attributes)
  assert.equal(chosen && textOf(chosen), '19 hours')
  assert.ok(findAll(form, 'em').length > 0)
})

function formOf(typeId: number, deviceName = 'Front door') {
  return configurationForm({ deviceEui: '00AA000000000001', deviceName, typeId, token: 'token' })
}

for (const { typeId, typeName } of deviceTypes) {
  // shows 4.15.1, 10.8.11
  test(`the form of ${typeName} is valid, and is accepted as it is`, async () => {
    const changes = { deviceType: typeId, deviceName: `<i>${typeName}"` }
    const { eui } = await addBenchDevice(bench, 1000 + typeId, changes)
    const { form } = await showForm(eui)
    checkReferences(form)
    const body = submit(form)
    const configure = `/v1/devices/${eui}/configure`
    const unchanged = await service.call('POST', configure, { body })
    assert.deepEqual([unchanged.status, unchanged.body.status], [200, true], unchanged.text)
    for (const section of ['general', 'advanced']) {
      const config_field = { ...(body.config_field as object), config_type: section }
      const answer = await service.call('POST', configure, { body: { ...body, config_field } })
      assert.deepEqual([answer.status, answer.body.status], [200, true], answer.text)
    }
  })
}

/** Ids are given once, labels and descriptions lead to one. */
function checkReferences(form: Element) {
  const all = [...walk(form)].map(({ attributes }) => attributes)
  const ids = all.flatMap(({ id }) => id ?? [])
  assert.equal(new Set(ids).size, ids.length)
  for (const attributes of all) {
    for (const name of ['for', 'aria-describedby']) {
      const target = attributes[name]
      assert.ok(target === undefined || ids.includes(target), `${name} leads nowhere`)
    }
  }
  for (const { attributes, children } of findAll(form, 'select')) {
    const selected = children.filter(
      (child) => typeof child === 'object' && 'selected' in child.attributes,
    )
    assert.ok(selected.length <= 1, `several chosen of ${attributes.name}`)
  }
}

test('a device name never breaks out, whatever it is', () => {
  const tagsOf = (form: Element) => [...walk(form)].map(({ tag }) => tag)
  const plain = tagsOf(parseHtml(markupOf(formOf(doorType.id))))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('"><script>')), (name) => {
      const form = parseHtml(markupOf(formOf(doorType.id, name)))
      assert.deepEqual(tagsOf(form), plain)
      assert.equal(findAll(form, 'form')[0]?.attributes['aria-label'], `Configuration of ${name}`)
    }),
    { numRuns: 20 },
  )
})

// shows 10.8.13
test('the token is good for its session and device, for an hour', async () => {
  const { eui } = await addBenchDevice(bench, 2)
  const other = await addBenchDevice(bench, 3)
  const body = submit((await showForm(eui)).form)
  const send = (to: string, as = service.owner) =>
    service.call('POST', `/v1/devices/${to}/configure`, { body, as })
  const expired = { message: 'The form has expired. Please load it again.' }
  assert.equal((await send(eui)).status, 200)
  const wrong = await send(other.eui)
  assert.deepEqual([wrong.status, wrong.body.message], [422, expired.message])
  assert.deepEqual(wrong.body.errors, { _token: [expired.message] })
  const again = await service.logIn(ownerEmail, ownerPassword, 1)
  assert.equal((await send(eui, again)).status, 422)
  service.setClock(new Date(service.services.now().getTime() + 3600_000))
  assert.equal((await send(eui)).status, 422)
})

test('is that of a device of the own organization', async () => {
  const answer = await service.call('GET', '/v1/devices/00AA00000000FFFF/configure/create')
  assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
})
