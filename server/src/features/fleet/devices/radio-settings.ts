import { z } from 'zod'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { hexadecimal, wordOf } from '../../../http/fields.ts'
import { type DeviceModel, radioOfModel } from '../../../networks/device-model.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import type { Network } from '../../../networks/network.ts'

/**
 * How a device speaks LoRaWAN. What is left out is as the model of its device type speaks; without a
 * model, it is of 1.0.x and class A and joins over the air.
 */
export const radioField = z
  .object(
    withExamples(
      {
        version: wordOf('LoRaWAN version', ['1.0', '1.1']).optional(),
        activation: wordOf('activation', ['otaa', 'abp']).optional(),
        deviceClass: z.enum(['A', 'C'], { error: 'The device class must be A or C.' }).optional(),
        devAddr: hexadecimal('device address', 8).nullish().describe('Of a device without a join.'),
        networkKey: hexadecimal('network key', 32)
          .nullish()
          .describe('NwkKey of LoRaWAN 1.1, or NwkSKey of a device without a join. Never shown.'),
      },
      {
        version: '1.1',
        activation: 'otaa',
        deviceClass: 'C',
        networkKey: '00112233445566778899AABBCCDDEE00',
      },
    ),
    { error: 'The lorawan must be an object.' },
  )
  .meta({ id: 'LorawanSettings' })
  .nullish()
  .describe(
    'What is left out is as the catalogue says of the model of the device type, as far as the network takes it; without a model it is LoRaWAN 1.0.x, OTAA and class A. With `abp`, `deviceKey` is its AppSKey.',
  )

type SentRadio = z.infer<typeof radioField>

const usual = { version: '1.0', activation: 'otaa', deviceClass: 'A' } as const

/** The settings with what the model of the type says of those that were not sent, as far as the network takes it. */
export function completeRadio(
  sent: SentRadio,
  model: DeviceModel | undefined,
  network: Network | undefined,
): SentRadio {
  if (!model) return sent
  const takes = network?.capabilities.radio ?? []
  const { version, activation, deviceClass } = radioOfModel(model)
  const given = Object.entries(sent ?? {}).filter(([, value]) => value !== undefined)
  const completed = {
    version: takes.includes('1.1') ? version : usual.version,
    activation: takes.includes('abp') ? activation : usual.activation,
    deviceClass: takes.includes('class_c') ? deviceClass : usual.deviceClass,
    ...(Object.fromEntries(given) as NonNullable<SentRadio>),
  }
  const isFixed = completed.activation === 'abp' && sent?.version === undefined
  return isFixed ? { ...completed, version: '1.0' } : completed
}

/** The settings of a registration; undefined where they are the usual ones. */
export function toRadio(sent: SentRadio): DeviceRadio | undefined {
  if (!sent) return undefined
  const { devAddr, networkKey, ...said } = sent
  const version = said.version ?? usual.version
  const activation = said.activation ?? usual.activation
  const deviceClass = said.deviceClass ?? usual.deviceClass
  if (version === '1.0' && activation === 'otaa' && deviceClass === 'A') return undefined
  return {
    version,
    activation,
    deviceClass,
    ...(devAddr && { devAddr: devAddr.toUpperCase() }),
    ...(networkKey && { networkKey: networkKey.toUpperCase() }),
  }
}

/** What is wrong with the completed settings themselves, or at the network. */
export function findRadioFaults(
  network: Network | undefined,
  sent: SentRadio,
  model?: DeviceModel,
): FieldErrors {
  const completed = completeRadio(sent, model, network)
  if (!completed) return {}
  const { version = usual.version, activation = usual.activation, devAddr, networkKey } = completed
  const isOfModel = model && sent?.version === undefined && sent?.activation === undefined
  const isSecond = version === '1.1' || activation === 'abp'
  const errors: FieldErrors = {}
  const fail = (name: string, words: string) => {
    errors[`lorawan.${name}`] = [words]
  }
  const missing = (name: string) =>
    isOfModel
      ? `The ${name} field is required: the catalogue says that this model speaks LoRaWAN ${version === '1.1' ? '1.1' : 'without a join (ABP)'}.`
      : `The ${name} field is required.`
  if (version === '1.1' && activation === 'abp') {
    fail('activation', 'Devices without a join are taken for LoRaWAN 1.0.x only.')
  }
  if (activation === 'abp' && !devAddr) fail('devAddr', missing('device address'))
  if (activation === 'otaa' && devAddr) {
    fail('devAddr', 'The device address is for devices without a join: a join gives another one.')
  }
  if (isSecond && !networkKey) fail('networkKey', missing('network key'))
  if (!isSecond && networkKey) {
    fail('networkKey', 'The network key is for LoRaWAN 1.1, and for devices without a join.')
  }
  const radio = toRadio(completed)
  const refused = network && radio ? findMissing(network, radio) : undefined
  if (refused) errors.lorawan = [refused]
  return errors
}

const names = { '1.1': 'LoRaWAN 1.1', abp: 'devices without a join (ABP)', class_c: 'class C' }

function findMissing({ name, capabilities }: Network, radio: DeviceRadio): string | undefined {
  const wanted = [
    ...(radio.version === '1.1' ? (['1.1'] as const) : []),
    ...(radio.activation === 'abp' ? (['abp'] as const) : []),
    ...(radio.deviceClass === 'C' ? (['class_c'] as const) : []),
  ]
  const missing = wanted.filter((each) => !capabilities.radio?.includes(each))
  if (missing.length === 0) return undefined
  return `${name} takes no ${missing.map((each) => names[each]).join(' and no ')} from here.`
}
