import {
  Autocomplete,
  type AutocompleteProps,
  type ComboboxItem,
  TagsInput,
  type TagsInputProps,
} from '@mantine/core'
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
      description="A key, or key and value, such as floor:2. Enter adds it, Backspace takes the last one."
      placeholder={value.length === 0 ? 'floor:2' : undefined}
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

/** The tag that a rule, a key or a webhook asks for. */
export function TagChoiceField(props: Omit<AutocompleteProps, 'data'>) {
  const known = useKnownTags()
  return (
    <Autocomplete
      label="With the tag"
      description="A key, such as floor, or key and value, such as floor:2."
      data={choicesOf(known)}
      limit={mostShown}
      {...props}
    />
  )
}
