import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { RequestParts } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { placeOf, takesType } from './difference-rows.tsx'
import type { FleetNetwork } from './network-words.ts'
import type { Report, RowAction } from './reconcile-words.ts'
import { TypeSelect } from './type-select.tsx'

type Body = RequestParts<'POST /network-accounts/{network}/reconcile'>['body']

interface DifferenceActionsProps {
  network: FleetNetwork
  report: Report
  choices: ReadonlyMap<string, RowAction>
  /** Types of single rows, by their places. */
  types: ReadonlyMap<string, number>
  isBusy: boolean
  onSend: (body: Body) => void
}

/** Carries out the choices, or adopts everything that only the network has. */
export function DifferenceActions(props: DifferenceActionsProps) {
  const { network, report, choices, types, isBusy, onSend } = props
  const [typeId, setTypeId] = useState<number>()
  const [isOpen, setOpen] = useState(false)
  const rows = chosenRows(report, choices, types, typeId)
  const adoptable = report.totals.device.only_at_network
  const needsType = rows.some(({ isTyped }) => isTyped)
  const isTypeMissing = rows.some((row) => row.isTyped && row.device_type === undefined)
  const typeMissing = t('Choose the type of the adopted devices first.')
  return (
    <Group align="flex-end">
      {(adoptable > 0 || needsType) && (
        <TypeSelect label={t('Type of adopted devices')} value={typeId} onChange={setTypeId} />
      )}
      <ActionButton
        needs="manage_account"
        loading={isBusy}
        blockedBy={
          rows.length === 0
            ? t('Choose what to do with some rows first.')
            : isTypeMissing
              ? typeMissing
              : undefined
        }
        onClick={() => onSend({ rows: rows.map(({ isTyped: _, ...row }) => row) })}
      >
        {rows.length === 0
          ? t('Apply')
          : t('Apply {count, plural, one {# row} other {# rows}}', { count: rows.length })}
      </ActionButton>
      {adoptable > 0 && (
        <ActionButton
          needs="manage_account"
          variant="default"
          loading={isBusy}
          blockedBy={typeId === undefined ? typeMissing : undefined}
          onClick={() => setOpen(true)}
        >
          {t('Adopt all {adoptable, plural, one {# device} other {# devices}}', { adoptable })}
        </ActionButton>
      )}
      <Confirm
        opened={isOpen}
        title={t('Adopt {adoptable, plural, one {# device} other {# devices}}?', { adoptable })}
        action={t('Adopt {adoptable, plural, one {# device} other {# devices}}', { adoptable })}
        onClose={() => setOpen(false)}
        onConfirm={() => {
          if (typeId !== undefined) onSend({ adopt_all: { device_type: typeId } })
        }}
      >
        <Text size="sm">
          {t(
            'Every device that only {name} has is recorded here with its name there. Nothing is changed at the network. Those that you ignore are left out.',
            { name: network.name },
          )}
        </Text>
      </Confirm>
    </Group>
  )
}

function chosenRows(
  report: Report,
  choices: ReadonlyMap<string, RowAction>,
  types: ReadonlyMap<string, number>,
  typeId: number | undefined,
) {
  return report.rows.flatMap((row) => {
    const action = choices.get(placeOf(row))
    if (!action || !row.kind || row.eui === null) return []
    const isTyped = takesType(row, action)
    const device_type = isTyped ? (types.get(placeOf(row)) ?? typeId) : undefined
    return [{ kind: row.kind, eui: row.eui, action, isTyped, device_type }]
  })
}
