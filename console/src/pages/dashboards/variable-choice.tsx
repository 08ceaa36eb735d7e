import { t } from '../../languages/text.ts'
import { DeviceSelect, GroupSelect } from '../../sources/source-selects.tsx'
import type { Variable } from './dashboard.ts'

interface VariableChoiceProps {
  variable: Variable
  onChange: (chosen: { group: number | undefined } | { device: string | undefined }) => void
}

/** What the widgets with a variable are about. */
export function VariableChoice({ variable, onChange }: VariableChoiceProps) {
  return variable.kind === 'group' ? (
    <GroupSelect
      size="xs"
      aria-label={t('Group to look at')}
      value={variable.group ?? undefined}
      onChange={(group) => onChange({ group })}
    />
  ) : (
    <DeviceSelect
      size="xs"
      aria-label={t('Device to look at')}
      value={
        variable.device === null || variable.device === undefined
          ? undefined
          : String(variable.device)
      }
      onChange={(device) => onChange({ device })}
    />
  )
}
