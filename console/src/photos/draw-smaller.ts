import { t } from '../languages/text.ts'
/** @throws Error with words for people where the browser has no canvas left. */
export function drawSmaller(
  picture: ImageBitmap,
  longest: number,
  isOpaque: boolean,
): HTMLCanvasElement {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error(t('This browser cannot make the picture smaller.'))
  if (isOpaque) {
    // What is clear would become black in a JPEG.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}
