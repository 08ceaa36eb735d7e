import { MultiSelect, PasswordInput, Select, TextInput } from '@mantine/core'
import { t } from '../../languages/text.ts'
import type { AccountField, FieldChoices } from './account-choices.ts'

interface AccountInputProps {
  field: AccountField
  value: string
  isStored: boolean
  help: string | undefined
  error: string | false | undefined
  /** What the network lists for it, if it lists anything. */
  listed: FieldChoices | undefined
  onChange: (value: string) => void
  /** The value is whole. */
  onDone: (value: string) => void
}

/** A field of the account: a choice by name where the network lists them, or else text. */
export function AccountInput(props: AccountInputProps) {
  const { field, value, help, error, listed, onChange, onDone } = props
  const { name, label, required, secret } = field
  if (secret) return <SecretInput {...props} />
  if (field.listed && listed?.choices) {
    return <ChoiceInput {...props} choices={listed.choices} label={field.listed.label} />
  }
  return (
    <TextInput
      label={label}
      name={name}
      value={value}
      error={error}
      description={inSentences(help, listed?.message)}
      required={required}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={(event) => onDone(event.currentTarget.value)}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
    />
  )
}

function inSentences(help: string | undefined, message: string | null | undefined) {
  if (!help || !message) return help || message
  return /[.。]$/.test(help) ? `${help} ${message}` : `${help}. ${message}`
}

type ChoiceProps = AccountInputProps & {
  label: string
  choices: NonNullable<FieldChoices['choices']>
}

function ChoiceInput(props: ChoiceProps) {
  const { field, label, value, help, error, choices, onChange, onDone } = props
  const change = (next: string) => {
    onChange(next)
    onDone(next)
  }
  const values = field.listed?.several ? value.split(',').filter(Boolean) : [value].filter(Boolean)
  const common = {
    label,
    description: help,
    error,
    required: field.required,
    data: optionsOf(choices, values),
    searchable: true,
    clearable: !field.required,
    nothingFoundMessage: t('Nothing is called so'),
    limit: 200,
  }
  if (field.listed?.several) {
    return (
      <MultiSelect {...common} value={values} onChange={(chosen) => change(chosen.join(','))} />
    )
  }
  return (
    <Select
      {...common}
      allowDeselect={false}
      placeholder={choices.length === 0 ? t('There is none at the network') : undefined}
      value={value || null}
      onChange={(chosen) => change(chosen ?? '')}
    />
  )
}

/** Names that are there twice have their ids with them. What is chosen stays, though it is not listed. */
function optionsOf(choices: ChoiceProps['choices'], chosen: readonly string[]) {
  const labels = choices.map(({ label }) => label)
  const isTwice = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  const known = new Set(choices.map(({ value }) => value))
  return [
    ...choices.map(({ value, label }) => ({
      value,
      label: isTwice(label) ? `${label} (${value})` : label,
    })),
    ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value })),
  ]
}

function SecretInput({ field, value, isStored, help, error, onChange }: AccountInputProps) {
  const { name, label, required } = field
  const isAskedAgain = isStored && value === '' && error
  return (
    <PasswordInput
      label={label}
      name={name}
      value={value}
      description={help}
      // A stored secret need not be entered again.
      required={required && !isStored}
      error={
        isAskedAgain
          ? t('{error} What is stored is not sent to another address.', { error })
          : error
      }
      aria-invalid={error ? true : undefined}
      autoComplete="new-password"
      placeholder={isStored ? placeholderOf(required) : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={false}
      autoCapitalize="off"
    />
  )
}

/** The API does not say whether an optional secret is stored. */
function placeholderOf(isRequired: boolean): string {
  return isRequired
    ? t('Stored. Leave empty to keep it.')
    : t('Leave empty to keep what is stored.')
}
