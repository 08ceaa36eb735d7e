import { Button, Group, Text, TextInput } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { hexFault, isHex, plainHex, reverseBytes } from '../label/hex.ts'
import classes from './register.module.css'

interface HexInputProps {
  label: string
  /** Digits of a whole value. */
  length: number
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  placeholder?: string
  isRequired?: boolean
  /** What was read for it, and from where. */
  source?: string | undefined
  description?: string
}

/**
 * An EUI or a key. Separators are taken out when the field is left; digits are never cut. Some labels
 * print the bytes in reverse: a button turns them, and nothing else does.
 */
export function HexInput(props: HexInputProps) {
  const { label, length, value, onChange, error, source, isRequired, ...rest } = props
  const hex = plainHex(value)
  const fault = hexFault(value, length)
  const tidy = () => {
    if (hex !== value && isHex(hex)) onChange(hex)
  }
  return (
    <div>
      <TextInput
        {...rest}
        label={label}
        required={isRequired ?? false}
        withAsterisk={isRequired ?? false}
        value={value}
        error={error ?? (fault && hex.length > length ? fault : undefined)}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="characters"
        classNames={{ input: classes.hex ?? '' }}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={tidy}
      />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {source ??
            (hex.length > 0 ? t('{count} of {length} digits', { count: hex.length, length }) : '')}
        </Text>
        {hex.length === length && length === 16 && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('Reverse bytes of the {label}', { label })}
            onClick={() => onChange(reverseBytes(hex))}
          >
            {t('Reverse bytes')}
          </Button>
        )}
      </Group>
    </div>
  )
}
