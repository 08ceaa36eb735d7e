import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../../ui/copy-field.tsx'

/** A new key. It is shown here and never again. */
export function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Stack role="status">
      <Text size="sm">
        Your program sends this key with each request, as <Code>Authorization: Bearer</Code>. It is
        shown only now: put it where the program keeps its secrets.
      </Text>
      <CopyField label="API key" value={value} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
