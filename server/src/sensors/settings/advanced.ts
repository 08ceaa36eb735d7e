import { otherPeriods, periods } from './periods.ts'
import { number, type Option, type Section, select } from './section.ts'

/*
 * Advanced configuration (command 0xFC), the same for every sensor. Published is only that it has
 * 3 bytes (RBS301-ABM manual, manualshive 1855646, p. 14). All of the following is inferred: from
 * the device info frame `fc 00 01 01` of RadioBridge/Packet-Decoder, and from codes 11 (port 1 to
 * 223, 0 for the default) and 14 (link quality period longer than 60 minutes) of the downlink
 * acknowledgement. That frame's own period would be 1 hour, which code 14 rules out for us.
 *
 * | byte | meaning                                                          |
 * |------|------------------------------------------------------------------|
 * | 0    | reserved, 0                                                      |
 * | 1    | port                                                             |
 * | 2    | period of link checks and of joining again, as a period byte     |
 *
 * In older firmware this command is a rate limit; such a sensor must not get it.
 *
 * Left out, since nothing is published of their bytes but how many there are: 0xED (request of the
 * device info, 1 byte), 0xEE (link quality, 1 byte), 0xEF (advanced ADR, 4 bytes); all of firmware
 * 3.0 (RBS3010NA0EBN0 manual, manualslib 3247730, p. 15).
 */
const note =
  'The maker has not published the layout of the advanced configuration; it is inferred, and old firmware takes it for a rate limit. Check that the sensor accepts it.'

/** Off, from 61 minutes on, and from 2 hours on. */
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
