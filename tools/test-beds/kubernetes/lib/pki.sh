# Certificates of a cluster that lives for a day.
certificate() { # name common-name organisation names
	local at=$PKI/$1 subject="/CN=$2"
	[ -z "$3" ] || subject="/O=$3/CN=$2"
	[ ! -e "$at.crt" ] || return 0
	openssl ecparam -name prime256v1 -genkey -noout -out "$at.key"
	{
		echo "extendedKeyUsage=clientAuth,serverAuth"
		[ -z "${4:-}" ] || echo "subjectAltName=$4"
	} >"$at.ext"
	openssl req -new -key "$at.key" -subj "$subject" |
		openssl x509 -req -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 7 -extfile "$at.ext" -out "$at.crt" 2>/dev/null
}

kubeconfig() { # file certificate server
	cat >"$1" <<-END
		apiVersion: v1
		kind: Config
		current-context: test
		clusters: [{name: test, cluster: {server: "$3", certificate-authority: $PKI/ca.crt}}]
		users: [{name: $2, user: {client-certificate: $PKI/$2.crt, client-key: $PKI/$2.key}}]
		contexts: [{name: test, context: {cluster: test, user: $2}}]
	END
}

make_authority() {
	mkdir -p "$PKI"
	chmod 700 "$RUN" "$PKI"
	if [ ! -e "$PKI/ca.crt" ]; then
		openssl ecparam -name prime256v1 -genkey -noout -out "$PKI/ca.key"
		openssl req -x509 -new -key "$PKI/ca.key" -subj /CN=test-cluster -days 7 -out "$PKI/ca.crt"
		openssl genrsa -out "$PKI/accounts.key" 2048 2>/dev/null
		openssl rsa -in "$PKI/accounts.key" -pubout -out "$PKI/accounts.pub" 2>/dev/null
	fi
	certificate apiserver kube-apiserver "" "DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:$API_SERVICE,IP:$GATEWAY"
	certificate to-kubelet kube-apiserver-to-kubelet system:masters
	certificate admin administrator system:masters
	certificate controllers system:kube-controller-manager ""
	certificate scheduler system:kube-scheduler ""
	kubeconfig "$RUN/kubeconfig" admin "https://127.0.0.1:$PORT"
	kubeconfig "$PKI/controllers.conf" controllers "https://127.0.0.1:$PORT"
	kubeconfig "$PKI/scheduler.conf" scheduler "https://127.0.0.1:$PORT"
}
