import { t } from '../languages/text.ts'

interface Radio {
  version: string
  activation: string
  deviceClass: string
}

/** How a device speaks LoRaWAN, in a line. */
export function lorawanWords({ version, activation, deviceClass }: Radio): string {
  const number = version === '1.1' ? '1.1' : '1.0.x'
  return activation === 'abp'
    ? t('{number}, class {deviceClass}, without a join (ABP)', { number, deviceClass })
    : t('{number}, class {deviceClass}, joins over the air (OTAA)', { number, deviceClass })
}
