import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../languages/text.ts'
import { SourceFields } from '../../sources/source-fields.tsx'
import { SourceList } from '../../sources/source-list.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import {
  type Variable,
  type WidgetOptions,
  type WidgetSource,
  type WidgetType,
  widgetWords,
} from './dashboard.ts'
import type { EditedWidget } from './use-edits.ts'
import { OptionFields } from './widget-options.tsx'

interface WidgetDialogProps {
  widget: EditedWidget
  variable: Variable | null
  onSave: (widget: EditedWidget) => void
  onClose: () => void
}

/** What a widget shows, of what, and how. */
export function WidgetDialog({ widget, variable, onSave, onClose }: WidgetDialogProps) {
  const [values, setValues] = useState(widget)
  const set = (changes: Partial<EditedWidget>) => setValues((all) => ({ ...all, ...changes }))
  const words = widgetWords[values.type]
  const { source = {}, options = {} } = values
  const missing = missingIn(values)
  return (
    <FormDialog
      title={`${words.name}: ${words.about}`}
      action={t('Apply')}
      blockedBy={missing}
      onSubmit={() => onSave(cleaned(values))}
      onClose={onClose}
    >
      <Select
        label={t('Shows')}
        allowDeselect={false}
        data={Object.entries(widgetWords).map(([value, { name }]) => ({ value, label: name }))}
        value={values.type}
        onChange={(type) => type && set({ type: type as WidgetType })}
      />
      <TextInput
        label={t('Title')}
        placeholder={words.of === 'measured' ? t('What is measured') : words.name}
        maxLength={100}
        value={values.title ?? ''}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      {words.of !== 'none' && (
        <SourceFields
          source={source}
          isMeasured={words.of === 'measured'}
          hasNoMeasure={words.of === 'plan' || words.of === 'some'}
          isOfSome={words.of === 'some'}
          isOfPlan={words.of === 'plan'}
          variable={variable}
          onChange={(changed) => set({ source: changed })}
        />
      )}
      {values.type === 'chart' && (
        <SourceList
          label={t('Further lines')}
          sources={source.more ?? []}
          variable={variable}
          most={7}
          onChange={(more) =>
            set({ source: { ...source, more: more.length > 0 ? more : undefined } })
          }
        />
      )}
      <OptionFields
        type={values.type}
        options={options}
        source={source}
        onChange={(changed) => set({ options: changed })}
      />
    </FormDialog>
  )
}

function missingIn({ type, source, options }: EditedWidget): string | undefined {
  const { of } = widgetWords[type]
  if (of === 'measured' && !source?.quantity && !source?.measurement) {
    return t('Choose what is measured.')
  }
  if (source?.devices?.length === 0) return t('Choose a device.')
  if (of === 'plan' && !source?.plan && !source?.group && !source?.variable) {
    return t('Choose a floor plan.')
  }
  if (of === 'some' && !Object.values(source ?? {}).some(Boolean)) return t('Choose devices.')
  if (type === 'text' && !options?.text) return t('Write the text.')
  if (type === 'picture' && !options?.image) return t('Choose a picture.')
  const isWhole = options?.f_port && options.payload
  return type === 'downlink' && !isWhole ? t('Enter the port and the bytes.') : undefined
}

/** Without what its type does not have. */
function cleaned({ source, options, title, ...widget }: EditedWidget): EditedWidget {
  const { of, options: names } = widgetWords[widget.type]
  const kept = Object.entries(options ?? {}).filter(
    ([name, value]) =>
      names.includes(name as keyof WidgetOptions) && value !== undefined && value !== '',
  )
  const dropped = {
    measured: ['plan'],
    devices: ['plan', 'measurement'],
    plan: ['quantity', 'measurement', 'devices', 'device_type', 'tag'],
    some: ['plan', 'quantity', 'measurement'],
    none: [],
  }[of] as readonly string[]
  const about = Object.entries(source ?? {}).filter(
    ([name, value]) =>
      value !== undefined &&
      !dropped.includes(name) &&
      (name !== 'more' || widget.type === 'chart'),
  )
  return {
    ...widget,
    ...(title && { title }),
    ...(of !== 'none' && about.length > 0 && { source: Object.fromEntries(about) as WidgetSource }),
    ...(kept.length > 0 && { options: Object.fromEntries(kept) as WidgetOptions }),
  }
}
