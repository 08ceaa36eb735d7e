import type { Region } from '../../lora/regions.ts'
import { type DeviceModel, revisionOfModel, wholeVersion } from '../device-model.ts'
import type { FrequencyPlan } from '../forms.ts'

/**
 * The plans of The Things Stack that are no drafts and no national exceptions, under their ids
 * (TheThingsNetwork/lorawan-frequency-plans, frequency-plans.yml).
 */
export const frequencyPlans: readonly FrequencyPlan[] = [
  plan('EU_863_870', 'Europe 863-870 MHz (SF12 for RX2)', 868),
  plan('EU_863_870_TTN', 'Europe 863-870 MHz (SF9 for RX2 - recommended)', 868, 'EU_863_870'),
  plan('EU_433', 'Europe 433 MHz (ITU region 1)', 433),
  ...subBands('US_902_928', 'United States 902-928 MHz'),
  ...subBands('AU_915_928', 'Australia 915-928 MHz'),
  plan('CN_470_510_FSB_1', 'China 470-510 MHz, FSB 1', 470),
  plan('CN_470_510_FSB_11', 'China 470-510 MHz, FSB 11 (used by TTN)', 470),
  plan('AS_920_923', 'Asia 920-923 MHz', 915),
  plan('AS_920_923_LBT', 'Asia 920-923 MHz with LBT', 915, 'AS_920_923'),
  plan('AS_923', 'Asia 915-928 MHz (AS923 Group 1) with only default channels', 915),
  plan('AS_923_2', 'Asia 920-923 MHz (AS923 Group 2) with only default channels', 915),
  plan('AS_923_3', 'Asia 915-921 MHz (AS923 Group 3) with only default channels', 915),
  plan('AS_923_4', 'Asia 917-920 MHz (AS923 Group 4) with only default channels', 915),
  plan('AS_923_925', 'Asia 923-925 MHz', 915),
  plan('AS_923_925_LBT', 'Asia 923-925 MHz with LBT', 915, 'AS_923_925'),
  plan('KR_920_923_TTN', 'South Korea 920-923 MHz', 915),
  plan('IN_865_867', 'India 865-867 MHz', 868),
  plan('RU_864_870_TTN', 'Russia 864-870 MHz', 868),
]

/** The plan of a region for who names none: the one that The Things Network uses there. */
export const usualPlans: { [region in Region]?: string } = {
  EU868: 'EU_863_870_TTN',
  US915: 'US_902_928_FSB_2',
  AU915: 'AU_915_928_FSB_2',
  AS923: 'AS_923',
  CN470: 'CN_470_510_FSB_11',
  EU433: 'EU_433',
  KR920: 'KR_920_923_TTN',
  RU864: 'RU_864_870_TTN',
  IN865: 'IN_865_867',
}

function plan(id: string, name: string, base_frequency: number, base_id?: string): FrequencyPlan {
  return { id, ...(base_id === undefined ? {} : { base_id }), name, base_frequency }
}

/** The eight sub-bands of a band of 64 channels; the public network uses the second. */
function subBands(band: string, name: string): FrequencyPlan[] {
  return Array.from({ length: 8 }, (_, index) => {
    const note = index === 1 ? ' (used by TTN)' : ''
    return plan(`${band}_FSB_${index + 1}`, `${name}, FSB ${index + 1}${note}`, 915)
  })
}

/**
 * The LoRaWAN versions under which a device is registered: those of its model; without one those of the
 * sensors, 1.0.3 with the regional parameters of 1.0.3, or 1.1 with those of 1.1 (revision B). The groups
 * of AS923 that came after them are only in later ones. The network server refuses what no band has
 * (pkg/band/all.go).
 */
export function versionsOf(
  frequencyPlan: string,
  version: '1.0' | '1.1' = '1.0',
  model?: DeviceModel,
) {
  const ofModel = model && versionsOfModel(model)
  if (ofModel && hasBand(frequencyPlan, ofModel.lorawan_phy_version)) return ofModel
  const usual = version === '1.1' ? 'PHY_V1_1_REV_B' : 'PHY_V1_0_3_REV_A'
  return {
    lorawan_version: version === '1.1' ? 'MAC_V1_1' : 'MAC_V1_0_3',
    lorawan_phy_version: isOfLaterGroup.test(frequencyPlan) ? 'RP002_V1_0_3' : usual,
  }
}

const isOfLaterGroup = /^AS_923_[234](_|$)/

/** Undefined for versions before 1.0.2, which not all bands have. */
function versionsOfModel(model: DeviceModel) {
  const whole = wholeVersion(model)
  if (!whole || whole < '1.0.2') return undefined
  const version = `V${whole === '1.1.0' ? '1_1' : whole.replaceAll('.', '_')}`
  const revision = revisionOfModel(model)
  // Of later ones there are no bands yet.
  const later = revision === 'RP002-1.0.4' || revision === 'RP002-1.0.5' ? 'RP002-1.0.3' : revision
  const isOfVersion = revision === 'A' || revision === 'B'
  const own = whole === '1.0.3' ? 'A' : revision
  return {
    lorawan_version: `MAC_${version}`,
    lorawan_phy_version: isOfVersion
      ? `PHY_${version}_REV_${own}`
      : later.replace('-', '_V').replaceAll('.', '_'),
  }
}

function hasBand(frequencyPlan: string, version: string): boolean {
  if (isOfLaterGroup.test(frequencyPlan)) return version === 'RP002_V1_0_3'
  if (frequencyPlan.startsWith('CN_470')) return !version.startsWith('RP002')
  if (frequencyPlan.startsWith('RU_864')) return !version.startsWith('PHY_V1_0_2')
  return !(frequencyPlan.startsWith('IN_865') && version === 'PHY_V1_0_2_REV_A')
}
