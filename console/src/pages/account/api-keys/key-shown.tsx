import { Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'

/** A new key. It is shown here and never again. */
export function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Stack role="status">
      <Text size="sm">
        Your program sends this key with each request, as <Code>Authorization: Bearer</Code>. It is
        shown only now: put it where the program keeps its secrets.
      </Text>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="API key"
          readOnly
          value={value}
          flex={1}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={value}>
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
