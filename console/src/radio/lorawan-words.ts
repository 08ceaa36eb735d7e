import { t } from '../languages/text.ts'

interface Radio {
  version: string
  activation: string
  deviceClass: string
}

/** How a device speaks LoRaWAN, in a line. */
export function lorawanWords({ version, activation, deviceClass }: Radio): string {
  const number = version === '1.1' ? '1.1' : '1.0.x'
  const join = activation === 'abp' ? 'without a join (ABP)' : 'joins over the air (OTAA)'
  return t('{number}, class {deviceClass}, {join}', { number, deviceClass, join })
}
