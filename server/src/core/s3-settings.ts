export interface S3Settings {
  /** Replaces Amazon's own hosts. */
  endpoint: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
