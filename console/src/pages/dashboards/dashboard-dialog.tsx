import { SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../languages/text.ts'
import { DeviceSelect, GroupSelect } from '../../sources/source-selects.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { type RangeWord, rangeNames, rangeWords, type Variable } from './dashboard.ts'
import type { Edited, Edits } from './use-edits.ts'

/** The name of a dashboard, who sees it, and what is chosen while it is looked at. */
export function DashboardDialog({ edits, onClose }: { edits: Edits; onClose: () => void }) {
  const [values, setValues] = useState<Edited>(edits.present)
  const set = (changes: Partial<Edited>) => setValues((all) => ({ ...all, ...changes }))
  const save = () => {
    edits.change({ ...values, description: values.description || null })
    onClose()
  }
  return (
    <FormDialog
      title={t('Settings of the dashboard')}
      action={t('Apply')}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={100}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={t('Description')}
        maxLength={500}
        value={values.description ?? ''}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <div>
        <Text size="sm" fw={500} id="dashboard-shared">
          {t('Seen by')}
        </Text>
        <SegmentedControl
          aria-labelledby="dashboard-shared"
          data={[
            { value: 'organization', label: t('Everybody in the organization') },
            { value: 'private', label: t('Only you') },
          ]}
          value={values.shared}
          onChange={(shared) => set({ shared: shared as Edited['shared'] })}
        />
      </div>
      <Select
        label={t('Range at first')}
        allowDeselect={false}
        data={rangeWords.map((word) => ({ value: word, label: rangeNames[word][1] }))}
        value={values.range}
        onChange={(range) => range && set({ range: range as RangeWord })}
      />
      <Select
        label={t('Choice while it is looked at')}
        description={t('One dashboard serves every building: its widgets show what is chosen.')}
        placeholder={t('None')}
        clearable
        data={[
          { value: 'group', label: t('A group') },
          { value: 'device', label: t('A device') },
        ]}
        value={values.variable?.kind ?? null}
        onChange={(kind) => set({ variable: kind === null ? null : { kind: kind as 'group' } })}
      />
      {values.variable && (
        <FirstChoice variable={values.variable} onChange={(variable) => set({ variable })} />
      )}
    </FormDialog>
  )
}

interface FirstChoiceProps {
  variable: Variable
  onChange: (variable: Variable) => void
}

function FirstChoice({ variable, onChange }: FirstChoiceProps) {
  const { kind, group, device } = variable
  return kind === 'group' ? (
    <GroupSelect
      label={t('Chosen at first')}
      value={group ?? undefined}
      onChange={(id) => onChange({ kind, ...(id !== undefined && { group: id }) })}
    />
  ) : (
    <DeviceSelect
      label={t('Chosen at first')}
      value={device === null || device === undefined ? undefined : String(device)}
      onChange={(eui) => onChange({ kind, ...(eui !== undefined && { device: eui }) })}
    />
  )
}
