import { t } from '../languages/text.ts'
import type { StateKind } from '../ui/state.tsx'

/** LoRa is received down to -20 dB below the noise; near that, and at -120 dBm, frames get lost. */
export function isWeak(rssi: number | null, snr: number | null): boolean {
  return (snr !== null && snr < -10) || (rssi !== null && rssi < -118)
}

/** How well a frame was heard, in a word; undefined where the network does not say. */
export function signalQuality(
  rssi: number | null,
  snr: number | null,
): { kind: StateKind; word: string } | undefined {
  if (rssi === null && snr === null) return undefined
  if (isWeak(rssi, snr)) return { kind: 'warn', word: t('Weak') }
  const isStrong = (rssi ?? -200) > -100 && (snr ?? 10) > 0
  return { kind: 'good', word: isStrong ? t('Strong') : t('Fair') }
}
