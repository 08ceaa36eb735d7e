import { z } from 'zod'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { hexadecimal, wordOf } from '../../../http/fields.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import type { Network } from '../../../networks/network.ts'

/** How a device speaks LoRaWAN. Left out, it is of 1.0.x and class A and joins over the air. */
export const radioField = z
  .object(
    withExamples(
      {
        version: wordOf('LoRaWAN version', ['1.0', '1.1']).default('1.0'),
        activation: wordOf('activation', ['otaa', 'abp']).default('otaa'),
        deviceClass: z.enum(['A', 'C'], { error: 'The device class must be A or C.' }).default('A'),
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
    'Where the device is not of LoRaWAN 1.0.x, OTAA and class A. With `abp`, `deviceKey` is its AppSKey.',
  )

/** The settings of a registration; undefined where they are the usual ones. */
export function toRadio(sent: z.infer<typeof radioField>): DeviceRadio | undefined {
  if (!sent) return undefined
  const { version, activation, deviceClass, devAddr, networkKey } = sent
  if (version === '1.0' && activation === 'otaa' && deviceClass === 'A') return undefined
  return {
    version,
    activation,
    deviceClass,
    ...(devAddr && { devAddr: devAddr.toUpperCase() }),
    ...(networkKey && { networkKey: networkKey.toUpperCase() }),
  }
}

/** What is wrong with the settings themselves, or at the network. */
export function findRadioFaults(
  network: Network | undefined,
  sent: z.infer<typeof radioField>,
): FieldErrors {
  if (!sent) return {}
  const { version, activation, devAddr, networkKey } = sent
  const isSecond = version === '1.1' || activation === 'abp'
  const errors: FieldErrors = {}
  const fail = (name: string, words: string) => {
    errors[`lorawan.${name}`] = [words]
  }
  if (version === '1.1' && activation === 'abp') {
    fail('activation', 'Devices without a join are taken for LoRaWAN 1.0.x only.')
  }
  if (activation === 'abp' && !devAddr) fail('devAddr', 'The device address field is required.')
  if (activation === 'otaa' && devAddr) {
    fail('devAddr', 'The device address is for devices without a join: a join gives another one.')
  }
  if (isSecond && !networkKey) fail('networkKey', 'The network key field is required.')
  if (!isSecond && networkKey) {
    fail('networkKey', 'The network key is for LoRaWAN 1.1, and for devices without a join.')
  }
  const radio = toRadio(sent)
  const missing = network && radio ? findMissing(network, radio) : undefined
  if (missing) errors.lorawan = [missing]
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
