import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'

/** A new secret. It is shown here and never again. */
export function SecretShown({
  secret,
  note,
  onClose,
}: {
  secret: string
  note?: string
  onClose: () => void
}) {
  return (
    <Stack role="status">
      <Text size="sm">
        Each message is signed with this secret, as the Standard Webhooks specification describes:
        your server checks it, and knows who sends. It is shown only now.
      </Text>
      {note && <Text size="sm">{note}</Text>}
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Secret"
          readOnly
          value={secret}
          flex={1}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
