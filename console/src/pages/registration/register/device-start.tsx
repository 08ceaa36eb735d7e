import { useState } from 'react'
import { ModelChoice } from './model-choice.tsx'
import type { RadioProfile } from './models.ts'
import { type Scanned, ScanPanel } from './scan-panel.tsx'

interface DeviceStartProps {
  /** The chosen type, as text. */
  deviceType: string | null
  onScan: (values: Scanned[]) => void
  /** With how devices of the model speak, where the catalogue says that. */
  onModel: (deviceType: number, radio: RadioProfile | null) => void
}

/** A registration starts with the device: with its code or label, or with its brand and model. */
export function DeviceStart({ deviceType, onScan, onModel }: DeviceStartProps) {
  const [profile, setProfile] = useState<string>()
  const scan = (values: Scanned[], profileId: string | undefined) => {
    setProfile(profileId)
    onScan(values)
  }
  return (
    <>
      <ScanPanel onScan={scan} />
      <ModelChoice deviceType={deviceType} profile={profile} onChoose={onModel} />
    </>
  )
}
