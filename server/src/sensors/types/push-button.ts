import { uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'
import { bits, disabledEvents, number, sensorSection } from '../settings/section.ts'
import { unknownState } from '../state-message.ts'

/*
 * Push button, single and dual.
 *
 * | byte | meaning                                                                  |
 * |------|--------------------------------------------------------------------------|
 * | 0    | button: 01 right or first, 02 left or second, 03 the only one, 12 both   |
 * | 1    | 0 pressed, 1 released, 2 held, 3 released after being held               |
 *
 * Source: dual button manual (manualslib 2622812) p. 11, single button manual (2610620) p. 16 and
 * support.radiobridge.com; action 3: RadioBridge/Packet-Decoder.
 */
const actions = ['pressed', 'released', 'held', 'released after hold']

const measurements: readonly Measurement[] = [
  measurement('state', 'event', { label: 'Button', isHeadline: true }),
  measurement('buttonId', 'code', { label: 'Button id' }),
]

function decodePushButton(payload: Uint8Array): Content {
  const buttonId = uint8(payload, 0)
  const action = uint8(payload, 1)
  const state = actions[action]
  const description = `${nameButton(buttonId)}${state ? ` ${state}` : `: ${unknownState(action)}`}`
  return {
    description,
    values: { buttonId, ...(state ? { state } : {}) },
    lines: [description],
    status: state ? { current_sensor_state: description } : {},
  }
}

const fields: readonly PayloadField[] = [
  {
    label: 'Button',
    at: 0,
    keys: ['buttonId', 'eventDescription'],
    coding: '1 right or first, 2 left or second, 3 the only one, 18 both',
    describe: (payload) => nameButton(uint8(payload, 0)),
  },
  { label: 'Action', at: 1, keys: ['state', 'eventDescription'], texts: actions },
]

function nameButton(buttonId: number): string {
  if (buttonId === 0x03) return 'Button'
  if (buttonId === 0x12) return 'Buttons 1 and 2'
  return `Button ${buttonId}`
}

/*
 * | byte | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 pressed, bit 1 released, bit 2 held                           |
 * | 1    | hold delay in 250 ms, 0 to 20; 0: no event                                           |
 * | 2    | light (firmware 2.0): bit 0 not while pressed, bit 1 no blink after sending, bit 2   |
 * |      | no blink after the confirmation                                                      |
 *
 * Source: single button manual (manualslib 2610620) p. 16 and support.radiobridge.com.
 */
const settings = sensorSection({
  command: 0x06,
  fields: [
    disabledEvents(601, 0, ['Pressed', 'Released', 'Held']),
    number({
      id: 602,
      key: 'hold_delay',
      label: 'Hold delay',
      description:
        'How long the button must be pressed for the event "held". Left empty or 0, there is no such event.',
      place: { byte: 1 },
      default: 0,
      min: 0,
      max: 5,
      unit: 's',
      scale: 4,
    }),
    bits({
      id: 603,
      key: 'light',
      label: 'Light turned off',
      description: 'When the light stays dark. Needs firmware 2.0. Left empty, never.',
      place: { byte: 2 },
      default: 0,
      texts: ['While pressed', 'After sending', 'After confirmation'],
    }),
  ],
})

export const pushButton: Sensor = {
  messages: [
    {
      eventCode: 0x06,
      event: 'PUSH_BUTTON',
      minimumLength: 2,
      decode: decodePushButton,
      fields,
      measurements,
    },
  ],
  deviceTypes: [
    {
      typeId: 105,
      typeName: 'Single Push Button',
      partNumber: 'RBS304-1',
      otherPartNumbers: ['RBS301-1'],
      typeCode: 0x06,
      settings,
    },
    {
      typeId: 106,
      typeName: 'Dual Push Button',
      partNumber: 'RBS304-2',
      typeCode: 0x07,
      settings,
    },
  ],
  examples: [
    {
      about: 'the only button held',
      hex: '10060302',
      gives: {
        event: 'PUSH_BUTTON',
        description: 'Button held',
        values: { buttonId: 3, state: 'held' },
        lines: ['Button held'],
        status: { current_sensor_state: 'Button held' },
      },
    },
    {
      about: 'the first of two held',
      hex: '10060102',
      gives: { lines: ['Button 1 held'], values: { buttonId: 1, state: 'held' } },
    },
    {
      about: 'both of two pressed',
      hex: '10061200',
      gives: { lines: ['Buttons 1 and 2 pressed'], values: { buttonId: 18, state: 'pressed' } },
    },
  ],
}
