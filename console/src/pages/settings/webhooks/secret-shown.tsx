import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../../ui/copy-field.tsx'

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
      <CopyField label="Secret" value={secret} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
