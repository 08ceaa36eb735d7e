import { t } from '../languages/text.ts'
import { drawSmaller } from './draw-smaller.ts'

/** Pixels of the longer side: enough to read a meter, and some 300 kB to send from a cellar. */
const side = 1600
const thumbnailSide = 256

/** A photo as it is sent: drawn again, so that it is upright, small, and without the data of the camera. */
export interface PreparedPhoto {
  image: Blob
  thumbnail: Blob
}

/** @throws Error with words for people if the file is no picture that the browser can read. */
export async function preparePhoto(file: Blob): Promise<PreparedPhoto> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(t('This file cannot be read as a picture. Choose a PNG or JPEG file.'))
  })
  try {
    return {
      image: await draw(picture, side, 0.8),
      thumbnail: await draw(picture, thumbnailSide, 0.7),
    }
  } finally {
    picture.close()
  }
}

function draw(picture: ImageBitmap, longest: number, quality: number): Promise<Blob> {
  const canvas = drawSmaller(picture, longest, true)
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error(t('This browser cannot make the picture smaller.')))
    canvas.toBlob(take, 'image/jpeg', quality)
  })
}

/** The content of a file, as JSON can hold it. */
export function toBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
