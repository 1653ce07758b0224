/** Where the package puts the configuration. */
export const DEFAULT_CONFIG = "/etc/recorderd/recorderd.yaml";
