import { otherPeriods, periods } from './periods.ts'
import { number, type Option, type Section, select } from './section.ts'

/*
 * Advanced configuration (command 0xFC), the same for every sensor. The maker has published only
 * its length of 3 bytes (RBS301-ABM manual, manualshive 1855646, p. 14). The rest is inferred from
 * the device info frame `fc 00 01 01` of RadioBridge/Packet-Decoder, and from codes 11 (port 1 to
 * 223, 0 for the default) and 14 (link quality period longer than 60 minutes) of the downlink
 * acknowledgement. The period in that frame, 1 hour, is not offered because of code 14.
 *
 * | byte | meaning                                                          |
 * |------|------------------------------------------------------------------|
 * | 0    | reserved, 0                                                      |
 * | 1    | port                                                             |
 * | 2    | period of link checks and of joining again, as a period byte     |
 *
 * In older firmware this command sets a rate limit: do not send it to such a sensor.
 *
 * Three commands of firmware 3.0 are left out, since only their length is published: 0xED (request
 * of the device info, 1 byte), 0xEE (link quality, 1 byte) and 0xEF (advanced ADR, 4 bytes)
 * (RBS3010NA0EBN0 manual, manualslib 3247730, p. 15).
 */
const note =
  'The maker has not published the layout of the advanced configuration; it is inferred, and old firmware takes it for a rate limit. Check that the sensor accepts it.'

/** Off, 61 minutes and more, 2 hours and more. */
function isLongEnough({ value }: Option): boolean {
  return value === 0 || value > (0x80 | 60) || (value > 1 && value < 0x80)
}

export const advancedSettings: Section = {
  name: 'advanced',
  label: 'Advanced',
  command: 0xfc,
  fields: [
    number({
      id: 'port_number',
      key: 'port_number',
      label: 'Port number',
      description:
        'LoRaWAN port of the uplinks, 1 to 223; messages to the sensor follow it. Left empty or 0, the default port.',
      place: { byte: 1 },
      default: 0,
      min: 0,
      max: 223,
      unit: '',
      isInferred: true,
      note,
    }),
    select({
      id: 'rejoin_period',
      key: 'rejoin_period',
      label: 'Rejoin period',
      description:
        'Interval at which the sensor checks its link and joins again if that is lost; longer than 60 minutes. Left empty, off.',
      place: { byte: 2 },
      default: 0,
      options: periods.filter(isLongEnough),
      alsoRead: [...periods.filter((period) => !isLongEnough(period)), ...otherPeriods],
      isInferred: true,
      note,
    }),
  ],
}
