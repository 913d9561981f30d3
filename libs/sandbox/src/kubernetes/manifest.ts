/** The parts of API objects that executions are made of, by the names that they have on the wire. */
export interface ObjectMeta {
  name: string;
  namespace: string;
  uid?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller: boolean;
  blockOwnerDeletion: boolean;
}

export interface ConfigMapManifest {
  apiVersion: 'v1';
  kind: 'ConfigMap';
  metadata: ObjectMeta;
  immutable: true;
  data: Record<string, string>;
  /** Base64. */
  binaryData: Record<string, string>;
}

export interface ServiceManifest {
  apiVersion: 'v1';
  kind: 'Service';
  metadata: ObjectMeta;
  spec: {
    clusterIP: 'None';
    publishNotReadyAddresses: true;
    selector: Record<string, string>;
    ports: { name: string; port: number }[];
  };
}

export interface PolicyPeer {
  podSelector: { matchLabels: Record<string, string> };
}

export interface NetworkPolicyManifest {
  apiVersion: 'networking.k8s.io/v1';
  kind: 'NetworkPolicy';
  metadata: ObjectMeta;
  spec: {
    podSelector: { matchLabels: Record<string, string> };
    policyTypes: ('Ingress' | 'Egress')[];
    ingress: { from: PolicyPeer[] }[];
    egress: { to: PolicyPeer[] }[];
  };
}

export interface FailureRule {
  action: 'FailJob' | 'FailIndex';
  onPodConditions?: { type: string; status: string }[];
  onExitCodes?: { containerName: string; operator: 'In' | 'NotIn'; values: number[] };
}

export interface JobManifest {
  apiVersion: 'batch/v1';
  kind: 'Job';
  metadata: ObjectMeta;
  spec: {
    suspend: boolean;
    completionMode: 'Indexed';
    completions: number;
    parallelism: number;
    backoffLimit?: number;
    backoffLimitPerIndex?: number;
    podReplacementPolicy: 'Failed';
    activeDeadlineSeconds: number;
    ttlSecondsAfterFinished: number;
    podFailurePolicy: { rules: FailureRule[] };
    template: { metadata: Pick<ObjectMeta, 'labels' | 'annotations'>; spec: PodSpec };
  };
}

export interface Toleration {
  key: string;
  operator: 'Exists' | 'Equal';
  value?: string;
  effect: 'NoSchedule' | 'NoExecute';
  tolerationSeconds?: number;
}

export type EnvironmentVariable = { name: string; value: string } | { name: string; valueFrom: { fieldRef: { fieldPath: string } } };

export interface ContainerSpec {
  name: string;
  image: string;
  imagePullPolicy: 'IfNotPresent';
  command: string[];
  env: EnvironmentVariable[];
  terminationMessagePolicy: 'File';
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: {
    allowPrivilegeEscalation: false;
    readOnlyRootFilesystem: true;
    privileged: false;
    capabilities: { drop: ['ALL'] };
  };
  volumeMounts: { name: string; mountPath: string; readOnly?: true }[];
}

export interface PodSpec {
  restartPolicy: 'Never';
  automountServiceAccountToken: false;
  serviceAccountName: string;
  enableServiceLinks: false;
  runtimeClassName?: string;
  priorityClassName?: string;
  subdomain?: string;
  topologySpreadConstraints?: {
    maxSkew: number;
    topologyKey: string;
    whenUnsatisfiable: 'ScheduleAnyway';
    labelSelector: { matchLabels: Record<string, string> };
  }[];
  terminationGracePeriodSeconds: number;
  dnsPolicy: 'None' | 'ClusterFirst';
  dnsConfig?: { nameservers: string[] };
  securityContext: {
    runAsNonRoot: true;
    runAsUser: number;
    runAsGroup: number;
    fsGroup: number;
    fsGroupChangePolicy: 'OnRootMismatch';
    supplementalGroupsPolicy: 'Strict';
    seccompProfile: { type: 'RuntimeDefault' };
  };
  nodeSelector: Record<string, string>;
  tolerations: Toleration[];
  containers: [ContainerSpec];
  volumes: Volume[];
}

export type Volume =
  | { name: string; projected: { defaultMode: number; sources: { configMap: { name: string } }[] } }
  | { name: string; emptyDir: { sizeLimit: string; medium?: 'Memory' } }
  | { name: string; persistentVolumeClaim: { claimName: string; readOnly: true } };

export type Manifest = ConfigMapManifest | ServiceManifest | NetworkPolicyManifest | JobManifest;
