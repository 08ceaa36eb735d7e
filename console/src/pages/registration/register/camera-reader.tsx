import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../languages/text.ts'
import { Notice } from '../../../ui/notice.tsx'
import classes from './register.module.css'

/** Milliseconds between two looks at the picture. */
const lookInterval = 250
/** Pixels of the picture that is looked at: enough for a code, and quick on a phone. */
const pictureWidth = 720

/** Shows the camera, and reports the texts of the codes that it sees. */
export function CameraReader({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const tell = useRef(onCodes)
  tell.current = onCodes
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const camera = startCamera(video.current, (codes) => tell.current(codes), setFault)
    return () => void camera.then((stop) => stop())
  }, [])
  if (fault !== undefined) {
    return (
      <Notice kind="warn" title={t('The camera cannot be used')}>
        {fault}
      </Notice>
    )
  }
  return (
    <div>
      <video ref={video} className={classes.video} muted playsInline aria-label={t('Camera')} />
      <Text size="xs" c="dimmed">
        {t('Hold the code in front of the camera. The picture stays in this browser.')}
      </Text>
    </div>
  )
}

async function startCamera(
  video: HTMLVideoElement | null,
  tell: (codes: string[]) => void,
  refuse: (reason: string) => void,
): Promise<() => void> {
  let isStopped = false
  let stream: MediaStream | undefined
  const stop = () => {
    isStopped = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  try {
    if (!navigator.mediaDevices) throw new Error('insecure')
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    const { readCodes } = await import('../label/qr-reader.ts')
    if (!video || isStopped) return stop
    video.srcObject = stream
    await video.play()
    void look(video, readCodes, tell, () => isStopped)
  } catch (error) {
    stop()
    refuse(reasonOf(error))
  }
  return stop
}

async function look(
  video: HTMLVideoElement,
  read: (picture: ImageData) => Promise<string[]>,
  tell: (codes: string[]) => void,
  isStopped: () => boolean,
): Promise<void> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  while (!isStopped() && context) {
    const scale = Math.min(1, pictureWidth / (video.videoWidth || pictureWidth))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (canvas.width > 0 && canvas.height > 0) {
      context.drawImage(video, 0, 0, canvas.width, canvas.height)
      const codes = await read(context.getImageData(0, 0, canvas.width, canvas.height))
      if (codes.length > 0 && !isStopped()) tell(codes)
    }
    await new Promise((resolve) => setTimeout(resolve, lookInterval))
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError') return t('Allow the camera in your browser, or choose a picture.')
  if (name === 'NotFoundError') return t('There is none. Choose a picture, or paste the label.')
  return t('The browser gives it to pages with TLS only. Choose a picture, or paste the label.')
}
