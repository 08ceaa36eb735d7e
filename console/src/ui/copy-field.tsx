import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { t } from '../languages/text.ts'

/** A text to take along: a click chooses it, and a button copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label={label}
        readOnly
        value={value}
        flex={1}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
