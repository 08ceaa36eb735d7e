import { Button } from '@mantine/core'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState } from '../../ui/notices.tsx'

export function NoDevices() {
  return (
    <EmptyState
      title="No devices yet"
      actions={
        <>
          <LinkButton to="/register">Register a device</LinkButton>
          <LinkButton to="/networks" variant="default">
            Connect a network
          </LinkButton>
        </>
      }
    >
      Register the first one, or connect a network and bring the devices that it has already.
    </EmptyState>
  )
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No matching devices"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear all filters
        </Button>
      }
    >
      No device matches all filters. Remove one, or search for a part of the name or DevEUI.
    </EmptyState>
  )
}
