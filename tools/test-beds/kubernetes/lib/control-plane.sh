# etcd, the API server and what works through it. Without nodes all of them listen on this machine only.
start_control_plane() {
	local client=http://127.0.0.1:$((PORT + 1)) peer=http://127.0.0.1:$((PORT + 2)) listen=127.0.0.1 endpoints=none
	[ "$NODES" = 0 ] || listen=0.0.0.0 endpoints=lease
	start etcd "$BIN/etcd" --name test --data-dir "$RUN/etcd" --unsafe-no-fsync --log-level warn \
		--listen-client-urls "$client" --advertise-client-urls "$client" \
		--listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "test=$peer"
	start apiserver "$BIN/kube-apiserver" --etcd-servers="$client" --bind-address="$listen" --secure-port="$PORT" \
		--advertise-address="$GATEWAY" --endpoint-reconciler-type="$endpoints" --service-cluster-ip-range="$SERVICES" \
		--client-ca-file="$PKI/ca.crt" --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" \
		--service-account-issuer=https://kubernetes.default.svc.cluster.local \
		--service-account-key-file="$PKI/accounts.pub" --service-account-signing-key-file="$PKI/accounts.key" \
		--kubelet-client-certificate="$PKI/to-kubelet.crt" --kubelet-client-key="$PKI/to-kubelet.key" \
		--kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP \
		--authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction
	wait_for 90 "the API server is ready" kubectl get --raw=/readyz
	start controllers "$BIN/kube-controller-manager" --kubeconfig="$PKI/controllers.conf" --leader-elect=false \
		--bind-address=127.0.0.1 --secure-port=$((PORT + 3)) --root-ca-file="$PKI/ca.crt" \
		--service-account-private-key-file="$PKI/accounts.key" --use-service-account-credentials=true --node-monitor-grace-period=10s
	start scheduler "$BIN/kube-scheduler" --kubeconfig="$PKI/scheduler.conf" --leader-elect=false \
		--bind-address=127.0.0.1 --secure-port=$((PORT + 4))
	wait_for 60 "the controllers work" kubectl get serviceaccount default
}
