import { type ComboboxItem, TagsInput, type TagsInputProps } from '@mantine/core'
import { joinTags, splitTags } from '../../../server/src/lora/tag-filter.ts'
import { t } from '../languages/text.ts'
import { choicesOf, useKnownTags } from './tag-choices.ts'
import { mostTags, tagsOf, textsOf } from './tag-text.ts'

interface TagsFieldProps {
  label: string
  value: readonly string[]
  onChange: (texts: string[]) => void
  error?: string | undefined
}

const mostShown = 50

/** Suggests nothing before something is typed: the list would cover the buttons below it. */
export const suggestTyped: TagsInputProps['filter'] = ({ options, search }) => {
  const typed = search.trim().toLowerCase()
  if (typed === '') return []
  const fits = ({ label }: ComboboxItem) => label.toLowerCase().includes(typed)
  return (options as ComboboxItem[]).filter(fits).slice(0, mostShown)
}

/** Tags as texts such as `floor:2`. One more with the same key takes the place of the first. */
export function TagsField({ label, value, onChange, error }: TagsFieldProps) {
  const { texts } = useKnownTags()
  return (
    <TagsInput
      label={label}
      description={t(
        'A key, or key and value, such as floor:2. Enter adds it, Backspace takes the last one.',
      )}
      placeholder={value.length === 0 ? t('floor:2') : undefined}
      data-autofocus
      autoFocus
      data={texts}
      filter={suggestTyped}
      maxTags={mostTags}
      splitChars={[]}
      acceptValueOnBlur
      value={[...value]}
      onChange={(entered) => onChange(textsOf(tagsOf(entered)))}
      error={error}
    />
  )
}

interface TagChoiceProps extends Omit<TagsInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** As filters of the API read it: `floor:2,critical`. */
  value?: string
  onChange?: (tags: string) => void
}

/** The tags that a rule, a key, a webhook or a widget asks for, all of which must be there. */
export function TagChoiceField({ value = '', onChange, ...input }: TagChoiceProps) {
  const known = useKnownTags()
  return (
    <TagsInput
      label={t('With the tags')}
      description={t('All of them: keys, such as floor, or key and value, such as floor:2.')}
      data={choicesOf(known)}
      limit={mostShown}
      maxTags={mostTags}
      acceptValueOnBlur
      {...input}
      value={splitTags(value) ?? []}
      onChange={(tags) => onChange?.(joinTags(tags))}
    />
  )
}
