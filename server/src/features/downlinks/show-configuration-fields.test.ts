import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addBenchDevice, atNetwork, configure, startBench } from '../../../test/downlinks.ts'
import { type Element, findAll, parseHtml, textOf, walk } from '../../../test/html.ts'
import { markupOf } from '../../http/html.ts'
import { deviceTypes } from '../../sensors/index.ts'
import { configField, readConfiguration } from './config-field.ts'
import { toConfigurationSections } from './configuration-fields-record.ts'
import { configurationForm } from './configuration-form.ts'

type Section = ReturnType<typeof toConfigurationSections>[number]
type Field = Section['fields'][number]

const bench = await startBench({ after })
/** Its settings are per channel, in an order that is not published. */
const vibrationType = 124

async function readSections(eui: string): Promise<Section[]> {
  const answer = await bench.service.call('GET', `/v1/devices/${eui}/configure/fields`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.sections
}

test('gives three sections with their fields, in units', async () => {
  const { eui } = await addBenchDevice(bench, 1)
  const sections = await readSections(eui)
  assert.deepEqual(
    sections.map(({ key, label, note }) => [key, label, note]),
    [
      ['sensor', 'Sensor configuration', null],
      ['general', 'General configuration', null],
      ['advanced', 'Advanced configuration', null],
    ],
  )
  assert.deepEqual(sections[0]?.fields[1], {
    name: '302',
    wrapper: 'main',
    key: 'open_hold_time',
    label: 'Hold time of opened',
    type: 'number',
    unit: 's',
    minimum: 0,
    maximum: 16383.75,
    step: 0.25,
    default: 0,
    options: [],
    only_when: null,
    inferred: false,
    help: 'How long it must stay open before the event. Left empty or 0, at once.',
  })
  const port = sections[2]?.fields[0]
  assert.deepEqual([port?.name, port?.wrapper, port?.inferred], ['port_number', null, true])
  assert.match(port?.help ?? '', /has not published/)
})

test('names what a field depends on, and the bits that add up', async () => {
  const [sensor] = toConfigurationSections(112)
  const lower = sensor?.fields.find(({ key }) => key === 'lower_temperature')
  assert.deepEqual(lower?.only_when, { name: '1301', values: [0] })
  const [button] = toConfigurationSections(105)
  assert.deepEqual(button?.fields[0]?.options, [
    { value: 1, text: 'Pressed' },
    { value: 2, text: 'Released' },
    { value: 4, text: 'Held' },
  ])
})

test('says why a section has no fields', async () => {
  const { eui } = await addBenchDevice(bench, 2, { deviceType: vibrationType })
  const [sensor, general] = await readSections(eui)
  assert.deepEqual(sensor?.fields, [])
  assert.match(sensor?.note ?? '', /is not published/)
  assert.ok(general && general.fields.length > 0)
})

test('gives the names under which values are sent', async () => {
  const { eui } = await addBenchDevice(bench, 3)
  const [sensor] = await readSections(eui)
  const values = sensor?.fields.map((field) => [field.name, wrapped(field, 1)]) ?? []
  const answer = await configure(bench, eui, {
    islorawan: 1,
    config_type: sensor?.key,
    ...Object.fromEntries(values),
  })
  assert.equal(answer.body.status, true, answer.text)
  assert.deepEqual(atNetwork(bench, eui), ['0301000400040000'])
})

test('is that of a device of the own organization', async () => {
  const answer = await bench.service.call('GET', '/v1/devices/00AA00000000FFFF/configure/fields')
  assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
})

function wrapped({ wrapper }: Field, value: number | '') {
  return wrapper === null ? value : { [wrapper]: value }
}

for (const { typeId, typeName } of deviceTypes) {
  const sections = toConfigurationSections(typeId)

  test(`the fields of ${typeName} are those of its form`, () => {
    const subject = { deviceEui: '00AA000000000001', deviceName: typeName, typeId, token: 'token' }
    const form = parseHtml(markupOf(configurationForm(subject)))
    for (const section of sections) {
      const shown = [...walk(form)].find(
        ({ attributes }) => attributes['data-section'] === section.key,
      )
      assert.ok(shown)
      const rows = findAll(shown, 'div')
      assert.equal(rows.length, section.fields.length)
      section.fields.forEach((field, index) => {
        const row = rows[index]
        assert.ok(row)
        checkRow(row, field)
      })
      if (section.note !== null) assert.ok(textOf(shown).includes(section.note))
    }
  })

  test(`the defaults of ${typeName} are accepted as they are`, () => {
    const fields = sections.flatMap((section) => section.fields)
    const body = Object.fromEntries(
      fields.map((field) => [field.name, wrapped(field, field.default ?? '')]),
    )
    for (const { key, fields: own } of sections.filter((section) => section.note === null)) {
      const given = configField.parse({ islorawan: 1, config_type: key, ...body })
      const { payload } = readConfiguration(typeId, given, 2)
      // The sensor section is refused when nothing in it is set.
      const first = own.find((field) => field.default !== null)
      assert.ok(first)
      const rest = { [first.name]: wrapped(first, first.default ?? '') }
      const empty = configField.parse({ config_type: key, ...rest })
      assert.deepEqual(payload, readConfiguration(typeId, empty, 2).payload)
    }
  })
}

/** A row of the form shows what the data says: name, unit, range, choices, default, help. */
function checkRow(row: Element, field: Field) {
  const control = findAll(row, 'input')[0] ?? findAll(row, 'select')[0]
  const wrapper = field.wrapper === null ? '' : `[${field.wrapper}]`
  assert.equal(control?.attributes.name, `config_field[${field.name}]${wrapper}`)
  const unit = field.unit === null ? '' : ` (${field.unit})`
  assert.equal(findAll(row, 'label').map(textOf).join(), field.label + unit)
  const text = findAll(row, 'small').map(textOf).join()
  for (const sentence of field.help.split('. ')) assert.ok(text.includes(sentence), sentence)
  assert.equal(findAll(row, 'em').length > 0, field.inferred)
  if (field.type === 'number') {
    const end = field.unit === null ? '' : ` ${field.unit}`
    assert.ok(text.includes(`Range: ${field.minimum} to ${field.maximum}${end}`), text)
    const { min, max, step, value } = control?.attributes ?? {}
    const { minimum, maximum, default: usual } = field
    assert.deepEqual([min, max, step, value].map(Number), [minimum, maximum, field.step, usual])
    return
  }
  const options = findAll(row, 'option')
  const values = options.map(({ attributes }) => Number(attributes.value || -1))
  for (const { value } of field.options) assert.ok(values.includes(value))
  const chosen = options.find(({ attributes }) => 'selected' in attributes)
  assert.equal(chosen ? Number(chosen.attributes.value) : null, field.default)
}
