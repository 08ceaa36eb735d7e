import type { Answer, Operation } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import type { StateKind } from '../../ui/state.tsx'

export type Report = Answer<'GET /network-accounts/{network}/reconcile'>['data']
export type ReportRow = Report['rows'][number]
export type RowAction = ReportRow['actions'][number]

/** What is old after something was adopted or repaired. */
export const reconcileInvalidates: readonly Operation[] = [
  'GET /network-accounts/{network}/reconcile',
  'GET /network-accounts/{network}/quarantine',
  'GET /fleet/networks',
  'GET /fleet/devices',
]

type Difference = NonNullable<ReportRow['difference']>

export const differenceNames: Record<Difference, { words: string; kind: StateKind }> = {
  only_at_network: { words: t('Only at the network'), kind: 'waiting' },
  only_here: { words: t('Only here'), kind: 'warn' },
  name_differs: { words: t('Different name'), kind: 'off' },
  key_differs: { words: t('Different key'), kind: 'bad' },
  join_eui_differs: { words: t('Different JoinEUI'), kind: 'warn' },
  lorawan_differs: { words: t('Different LoRaWAN settings'), kind: 'bad' },
  incomplete: { words: t('Incomplete at the network'), kind: 'bad' },
}

/** The effect of an action on a row, shown next to the choice. */
export function actionWords(action: RowAction, { difference, kind }: ReportRow): string {
  if (action === 'ignore') return t('Ignore')
  if (action === 'unignore') return t('Stop ignoring')
  if (action === 'adopt') {
    return difference === 'only_at_network' ? t('Adopt') : t("Use the network's")
  }
  if (difference === 'only_here') {
    return t('{kind, select, gateway {Create the gateway there} other {Create the device there}}', {
      kind,
    })
  }
  return difference === 'incomplete' ? t('Register again') : t('Use ours')
}

export const actionNames: Record<RowAction, string> = {
  adopt: t('Adopt'),
  repair: t('Repair'),
  ignore: t('Ignore'),
  unignore: t('Stop ignoring'),
}
