# shellcheck shell=bash
# What works inside of the cluster: its DNS, and the rights of what enforces network policies.
start_add_ons() {
	kubectl apply -f - >/dev/null <<-END
		apiVersion: rbac.authorization.k8s.io/v1
		kind: ClusterRole
		metadata: {name: test:policies}
		rules:
		- {apiGroups: [""], resources: [nodes, pods, namespaces], verbs: [get, list, watch]}
		- {apiGroups: [networking.k8s.io], resources: [networkpolicies], verbs: [get, list, watch]}
		---
		apiVersion: rbac.authorization.k8s.io/v1
		kind: ClusterRoleBinding
		metadata: {name: test:policies}
		roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: test:policies}
		subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: test:policies}]
		---
		apiVersion: rbac.authorization.k8s.io/v1
		kind: ClusterRole
		metadata: {name: test:dns}
		rules:
		- {apiGroups: [""], resources: [services, pods, namespaces], verbs: [list, watch]}
		- {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [list, watch]}
		---
		apiVersion: rbac.authorization.k8s.io/v1
		kind: ClusterRoleBinding
		metadata: {name: test:dns}
		roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: test:dns}
		subjects: [{kind: ServiceAccount, name: dns, namespace: kube-system}]
		---
		apiVersion: v1
		kind: ServiceAccount
		metadata: {name: dns, namespace: kube-system}
		---
		apiVersion: v1
		kind: ConfigMap
		metadata: {name: dns, namespace: kube-system}
		data:
		  Corefile: |
		    .:53 {
		      errors
		      health
		      ready
		      kubernetes cluster.local in-addr.arpa ip6.arpa {
		        ttl 1
		      }
		      forward . $OUTSIDE
		    }
		---
		apiVersion: v1
		kind: Service
		metadata: {name: kube-dns, namespace: kube-system, labels: {k8s-app: kube-dns}}
		spec:
		  clusterIP: $DNS_SERVICE
		  selector: {k8s-app: kube-dns}
		  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
		---
		apiVersion: apps/v1
		kind: Deployment
		metadata: {name: dns, namespace: kube-system, labels: {k8s-app: kube-dns}}
		spec:
		  selector: {matchLabels: {k8s-app: kube-dns}}
		  template:
		    metadata: {labels: {k8s-app: kube-dns}}
		    spec:
		      serviceAccountName: dns
		      priorityClassName: system-cluster-critical
		      nodeSelector: {kubernetes.io/hostname: node1}
		      dnsPolicy: Default
		      tolerations: [{operator: Exists}]
		      terminationGracePeriodSeconds: 1
		      containers:
		      - name: dns
		        image: $(reference coredns)
		        command: [/coredns, -conf, /etc/coredns/Corefile]
		        readinessProbe: {httpGet: {path: /ready, port: 8181}, periodSeconds: 1}
		        volumeMounts: [{name: configuration, mountPath: /etc/coredns}]
		      volumes: [{name: configuration, configMap: {name: dns}}]
	END
}
